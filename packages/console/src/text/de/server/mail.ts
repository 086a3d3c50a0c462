// Meldungen des Fehlerkatalogs, Englisch und Deutsch: mail.
import type { MessageWords } from '../../server-words.ts';

export const mail: MessageWords = [
  ['No valid data in request.', 'Die Anfrage enthält keine brauchbaren Angaben.'],
  ["Email Template '{{name}}' not found", 'Die E-Mail-Vorlage „{{name}}“ gibt es nicht.'],
  ["Email Template id '{{id}}' not found", 'Eine E-Mail-Vorlage mit der id „{{id}}“ gibt es nicht.'],
  ['Email can not be empty.', 'Die E-Mail braucht einen Empfänger.'],
  ["Invalid email - '{{address}}'.", '„{{address}}“ ist keine gültige E-Mail-Adresse.'],
  ['The {{field}} takes one address.', '„{{field}}“ nimmt nur eine Adresse.'],
  [
    'The email has no sender: neither the call nor the template nor the service names one.',
    'Die E-Mail hat keinen Absender: Weder der Aufruf noch die Vorlage noch der Dienst nennt einen.',
  ],
  ['No email service is configured for invitations.', 'Für Einladungen ist kein E-Mail-Dienst eingestellt.'],
  [
    'Only administrators may look at templates with their own values.',
    'Nur Administratoren dürfen Vorlagen mit den eigenen Werten ansehen.',
  ],
  ['The email has neither a body nor an attachment.', 'Die E-Mail hat weder einen Text noch einen Anhang.'],
  ['The {{field}} must be a text.', '„{{field}}“ muss ein Text sein.'],
  ['An email can have {{limit}} recipients at most.', 'Eine E-Mail kann höchstens {{limit}} Empfänger haben.'],
  ['The {{field}} is longer than {{limit}} characters.', '„{{field}}“ hat mehr als {{limit}} Zeichen.'],
  [
    'An attachment is an address that begins with http:// or https://, or an object with service and path, or a list of these.',
    'Ein Anhang ist eine Adresse, die mit http:// oder https:// beginnt, oder ein Objekt mit service und path, oder eine Liste davon.',
  ],
  [
    "The part '{{name}}' holds a file: attachments come in parts named file or attachment.",
    'Der Teil „{{name}}“ enthält eine Datei: Anhänge kommen in Teilen, die file oder attachment heißen.',
  ],
  ['An email can have {{limit}} attachments at most.', 'Eine E-Mail kann höchstens {{limit}} Anhänge haben.'],
  [
    'The attachments of an email can have {{limit}} bytes together.',
    'Die Anhänge einer E-Mail dürfen zusammen {{limit}} Bytes haben.',
  ],
  [
    'Failed to import attachment file from url. {{problem}}',
    'Der Anhang ließ sich nicht von seiner Adresse holen. {{problem}}',
  ],
  [
    'Failed to get attachment file from storage service. {{problem}}',
    'Der Anhang ließ sich nicht aus dem Dateidienst lesen. {{problem}}',
  ],
  ['It must be a file.', 'Es muss eine Datei sein.'],
  ['Missing SMTP host. Check service configuration.', 'Der SMTP-Host fehlt in der Konfiguration des Dienstes.'],
  ['Missing SMTP port. Check service configuration.', 'Der SMTP-Port fehlt in der Konfiguration des Dienstes.'],
  [
    "The command '{{command}}' can not be used: it is '{{program}}' with -bs or -t, and nothing else.",
    'Der Befehl „{{command}}“ lässt sich nicht verwenden: Erlaubt ist „{{program}}“ mit -bs oder -t, und sonst nichts.',
  ],
  ['The mail server refused the email: {{text}}', 'Der Mailserver hat die E-Mail abgelehnt: {{text}}'],
  [
    'The mail server does not take the email now: {{text}}',
    'Der Mailserver nimmt die E-Mail zurzeit nicht an: {{text}}',
  ],
  [
    'The mail server does not accept the login of the service: {{text}}',
    'Der Mailserver nimmt die Anmeldung des Dienstes nicht an: {{text}}',
  ],
  [
    'There is no safe connection to the mail server: {{text}}',
    'Zum Mailserver gibt es keine sichere Verbindung: {{text}}',
  ],
  ['The mail server is not available: {{text}}', 'Der Mailserver ist nicht erreichbar: {{text}}'],
  ['it refused the connection', 'Er hat die Verbindung abgelehnt'],
  ['it reset the connection', 'Er hat die Verbindung abgebrochen'],
  ['it has an unknown host', 'Sein Host ist unbekannt'],
  ['it can not be reached', 'Kein Weg führt zu ihm'],
  ['it took too long', 'Es hat zu lange gedauert'],
  ['it can not be started ({{code}})', 'Es lässt sich nicht starten ({{code}})'],
  ['it must end with code 0, not {{code}}', 'Es muss mit Code 0 enden, nicht mit {{code}}'],
  ['it must answer with a success, not with {{status}}', 'Er muss mit einem Erfolg antworten, nicht mit {{status}}'],
  ['The domain must be the name of a domain.', 'Die Domain muss der Name einer Domain sein.'],
  ['Too many emails of this service are being sent.', 'Dieser Dienst verschickt gerade zu viele E-Mails.'],
  [
    'Too many emails of yours are being sent by this service.',
    'Dieser Dienst verschickt gerade zu viele E-Mails von Ihnen.',
  ],
  ['Too many attachments are in memory.', 'Zu viele Anhänge sind gleichzeitig im Arbeitsspeicher.'],
  ['The call ended before the email was sent.', 'Der Aufruf endete, bevor die E-Mail verschickt war.'],
  ['The port must be a number from 1 to 65535.', 'Der Port muss eine Zahl von 1 bis 65535 sein.'],
  ['The encryption must be tls or ssl, or blank.', 'Die Verschlüsselung muss tls oder ssl sein, oder leer.'],
  [
    'The ca certificate must be a certificate as PEM text.',
    'Die Zertifizierungsstelle muss ein Zertifikat als PEM-Text sein.',
  ],
];
