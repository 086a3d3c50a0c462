// Meldungen des Fehlerkatalogs, Englisch und Deutsch: file., fetch.
import type { MessageWords } from '../../server-words.ts';

export const files: MessageWords = [
  ["The path '{{path}}' can not be used: {{problem}}", 'Der Pfad „{{path}}“ lässt sich nicht verwenden: {{problem}}'],
  [
    "The root folder '{{container}}' can not be used: {{problem}}",
    'Der Wurzelordner „{{container}}“ lässt sich nicht verwenden: {{problem}}',
  ],
  ['Invalid empty path.', 'Der Pfad ist leer.'],
  ["The specified file '{{path}}' was not found in storage.", 'Die Datei „{{path}}“ gibt es im Speicher nicht.'],
  ["Folder '{{path}}' does not exist in storage.", 'Den Ordner „{{path}}“ gibt es im Speicher nicht.'],
  ["File '{{path}}' does not exist.", 'Die Datei „{{path}}“ gibt es nicht.'],
  ["Folder '{{path}}' does not exist.", 'Den Ordner „{{path}}“ gibt es nicht.'],
  ["File '{{path}}' was not found.", 'Die Datei „{{path}}“ wurde nicht gefunden.'],
  ["File '{{path}}' already exists.", 'Die Datei „{{path}}“ gibt es bereits.'],
  [
    "File '{{path}}' was changed or deleted by someone else in the meantime.",
    'Die Datei „{{path}}“ hat inzwischen jemand anderes geändert oder gelöscht.',
  ],
  [
    "File '{{path}}' was replaced just when it was read. Try again.",
    'Die Datei „{{path}}“ wurde gerade ersetzt, als sie gelesen wurde. Versuchen Sie es noch einmal.',
  ],
  ["Folder '{{path}}' already exists.", 'Den Ordner „{{path}}“ gibt es bereits.'],
  [
    'Directory not empty, can not delete without force option.',
    'Der Ordner ist nicht leer: Er lässt sich nur mit force löschen.',
  ],
  ["The path '{{path}}' is not in the folder '{{folder}}'.", 'Der Pfad „{{path}}“ liegt nicht im Ordner „{{folder}}“.'],
  ['No resources given for delete.', 'Es ist nicht angegeben, was gelöscht werden soll.'],
  ['No path or name provided for resource.', 'Einem Eintrag fehlen Pfad und Name.'],
  [
    'One call can name {{limit}} files and folders at most.',
    'Ein Aufruf kann höchstens {{limit}} Dateien und Ordner nennen.',
  ],
  [
    "Multiple files uploaded to a single REST resource '{{name}}'.",
    'Mehrere Dateien wurden auf eine einzige Adresse hochgeladen: „{{name}}“.',
  ],
  ["No file uploaded to REST resource '{{name}}'.", 'Zu „{{name}}“ wurde keine Datei hochgeladen.'],
  [
    "Folder '{{path}}' can not be copied or moved into itself.",
    'Der Ordner „{{path}}“ lässt sich nicht in sich selbst kopieren oder verschieben.',
  ],
  [
    "The service has no container '{{container}}' beside its own.",
    'Der Dienst hat neben seinem eigenen keinen Container „{{container}}“.',
  ],
  [
    "File '{{path}}' has more than {{limit}} bytes, the most that can be shown inside its properties.",
    'Die Datei „{{path}}“ hat mehr als {{limit}} Bytes; mehr lässt sich in ihren Eigenschaften nicht zeigen.',
  ],
  ['Error opening temporary zip file. code = 19', 'Die Datei ist kein ZIP-Archiv.'],
  ['The zip can not be extracted: {{problem}}', 'Das ZIP-Archiv lässt sich nicht entpacken: {{problem}}'],
  [
    'Could not clean out existing directory {{path}}.\n{{reason}}',
    'Der Ordner {{path}} konnte nicht geleert werden: {{reason}}',
  ],
  [
    'Failed to upload the following files to folder {{folder}}: {{names}}',
    'Diese Dateien konnten nicht in den Ordner {{folder}} geschrieben werden: {{names}}',
  ],
  [
    'Updating {{kind}} properties is not implemented for current file system.',
    'Eigenschaften ({{kind}}) lassen sich in diesem Dateisystem nicht ändern.',
  ],
  [
    'S3 file service bucket not specified. Please check configuration for file service - {{name}}.',
    'Dem S3-Dateidienst fehlt ein Bucket. Bitte die Konfiguration des Dienstes „{{name}}“ prüfen.',
  ],
  ['The storage is not available: {{text}}.', 'Der Speicher ist nicht erreichbar: {{text}}.'],
  [
    'The storage did not answer within {{seconds}} seconds.',
    'Der Speicher hat {{seconds}} Sekunden lang nicht geantwortet.',
  ],
  [
    'The storage does not accept the login of the service: {{text}}.',
    'Der Speicher nimmt die Anmeldung des Dienstes nicht an: {{text}}.',
  ],
  [
    "The storage does not let the service do this to '{{path}}'.",
    'Der Speicher erlaubt dem Dienst dies bei „{{path}}“ nicht.',
  ],
  [
    'The storage has no room for the file. Nothing was written.',
    'Im Speicher ist für die Datei kein Platz. Nichts wurde geschrieben.',
  ],
  ['The storage answered with an error: {{text}}.', 'Der Speicher hat einen Fehler gemeldet: {{text}}.'],
  [
    'Access denied, please contact your system administrator.',
    'Zugriff verweigert. Bitte wenden Sie sich an Ihre Administratorin oder Ihren Administrator.',
  ],
  [
    "A service named '{{name}}' can have no public path: /{{name}} is an address of the console.",
    'Ein Dienst mit dem Namen „{{name}}“ kann keinen öffentlichen Pfad haben: /{{name}} ist eine Adresse der Konsole.',
  ],
  [
    'The URL is not valid: it must begin with http:// or https:// and name a server.',
    'Die URL ist nicht gültig: Sie muss mit http:// oder https:// beginnen und einen Server nennen.',
  ],
  [
    'The URL leads to an address that this server does not fetch from.',
    'Die URL führt zu einer Adresse, von der dieser Server nichts holt.',
  ],
  ['Invalid URL entered. File not found.', 'Unter der URL gibt es keine Datei.'],
  [
    'The file of the URL has more than {{limit}} bytes, the most that is accepted.',
    'Die Datei der URL hat mehr als {{limit}} Bytes; mehr wird nicht angenommen.',
  ],
  ['Could not read the file: {{problem}}.', 'Die Datei konnte nicht gelesen werden: {{problem}}.'],
];
