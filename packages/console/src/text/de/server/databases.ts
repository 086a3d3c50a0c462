// Meldungen des Fehlerkatalogs, Englisch und Deutsch: database, schema, service.
import type { MessageWords } from '../../server-words.ts';

export const databases: MessageWords = [
  ["The database file '{{file}}' does not exist.", 'Die Datenbankdatei „{{file}}“ gibt es nicht.'],
  [
    "The folder of the database file '{{file}}' does not exist.",
    'Den Ordner der Datenbankdatei „{{file}}“ gibt es nicht.',
  ],
  [
    "The database file '{{file}}' can not be opened: {{text}}.",
    'Die Datenbankdatei „{{file}}“ lässt sich nicht öffnen: {{text}}.',
  ],
  [
    "The file '{{file}}' is not a SQLite database, or it is encrypted.",
    'Die Datei „{{file}}“ ist keine SQLite-Datenbank, oder sie ist verschlüsselt.',
  ],
  ["The database file '{{file}}' is damaged: {{text}}.", 'Die Datenbankdatei „{{file}}“ ist beschädigt: {{text}}.'],
  [
    "The database file '{{file}}' is locked by another program.",
    'Die Datenbankdatei „{{file}}“ ist von einem anderen Programm gesperrt.',
  ],
  [
    "The database file '{{file}}' can be read but not written.",
    'Die Datenbankdatei „{{file}}“ lässt sich lesen, aber nicht schreiben.',
  ],
  [
    "The database file '{{file}}' can not grow: its disk is full, or its page limit is reached. Nothing was written.",
    'Die Datenbankdatei „{{file}}“ kann nicht wachsen: Der Datenträger ist voll, oder die Höchstzahl an Seiten ist erreicht. Es wurde nichts geschrieben.',
  ],
  ['The database is not available: {{text}}.', 'Die Datenbank ist nicht erreichbar: {{text}}.'],
  [
    'The database took longer than {{seconds}} seconds and was stopped.',
    'Die Datenbank hat länger als {{seconds}} Sekunden gebraucht und wurde abgebrochen.',
  ],
  [
    'The query was stopped because the caller went away.',
    'Die Abfrage wurde abgebrochen, weil der Aufrufer gegangen ist.',
  ],
  [
    'The process that works on the database ended unexpectedly.',
    'Der Prozess, der mit der Datenbank arbeitet, endete unerwartet.',
  ],
  [
    'Too many calls are waiting for the database. Try again in a moment.',
    'Zu viele Aufrufe warten auf die Datenbank. Bitte versuchen Sie es gleich noch einmal.',
  ],
  [
    '{{limit}} of your own calls are waiting for the database, as many as may wait of one caller.',
    '{{limit}} Ihrer eigenen Aufrufe warten auf die Datenbank; mehr dürfen es von einem Aufrufer nicht sein.',
  ],
  [
    'All places at the database are taken; this query waited {{seconds}} s and was not begun.',
    'Alle Plätze an der Datenbank sind besetzt; diese Abfrage hat {{seconds}} s gewartet und wurde nicht begonnen.',
  ],
  [
    'Your own queries hold {{held}} of the places at the database, and the last is kept for other callers; this one waited {{seconds}} s and was not begun.',
    'Ihre eigenen Abfragen belegen {{held}} der Plätze an der Datenbank, und der letzte ist für andere Aufrufer frei gehalten; diese hat {{seconds}} s gewartet und wurde nicht begonnen.',
  ],
  [
    'As many long answers of the database are being read as it gives at once; this one waited {{seconds}} s and was not begun.',
    'Es werden so viele lange Antworten der Datenbank gelesen, wie sie zugleich gibt; diese hat {{seconds}} s gewartet und wurde nicht begonnen.',
  ],
  [
    'Long answers that you are reading hold {{held}} of the places for them, and the others are kept for other callers; this one waited {{seconds}} s and was not begun.',
    'Lange Antworten, die Sie gerade lesen, belegen {{held}} der Plätze dafür, und die übrigen sind für andere Aufrufer frei gehalten; diese hat {{seconds}} s gewartet und wurde nicht begonnen.',
  ],
  [
    'The database changed while it was used: {{text}}.',
    'Die Datenbank hat sich geändert, während sie benutzt wurde: {{text}}.',
  ],
  ['Table "{{table}}" can not be read: {{text}}.', 'Tabelle „{{table}}“ lässt sich nicht lesen: {{text}}.'],
  ['The host of the database is not known.', 'Der Host der Datenbank ist nicht bekannt.'],
  ['The host of the database takes no connections there.', 'Der Host der Datenbank nimmt dort keine Verbindungen an.'],
  [
    'The host of the database did not answer within {{seconds}} seconds.',
    'Der Host der Datenbank hat nicht innerhalb von {{seconds}} Sekunden geantwortet.',
  ],
  [
    'The database did not accept the user name or the password.',
    'Die Datenbank hat Benutzername oder Passwort nicht angenommen.',
  ],
  ['The database server has no database of that name.', 'Der Datenbankserver hat keine Datenbank dieses Namens.'],
  [
    'The database does not let this user connect from this machine to that database.',
    'Die Datenbank lässt diesen Benutzer von diesem Rechner aus nicht an diese Datenbank.',
  ],
  ['The database takes no more connections.', 'Die Datenbank nimmt keine weiteren Verbindungen an.'],
  [
    'The database does not offer encrypted connections (TLS), which this service asks for.',
    'Die Datenbank bietet keine verschlüsselten Verbindungen (TLS) an, die dieser Dienst verlangt.',
  ],
  [
    'The certificate of the database is not trusted: {{text}}.',
    'Dem Zertifikat der Datenbank wird nicht vertraut: {{text}}.',
  ],
  [
    'What answers there is no database of this kind, or it is out of order.',
    'Was dort antwortet, ist keine Datenbank dieser Art, oder sie ist gestört.',
  ],
  ['The database is starting up or shutting down.', 'Die Datenbank startet gerade oder fährt herunter.'],
  [
    'The connection to the database was lost. Nothing was changed.',
    'Die Verbindung zur Datenbank ging verloren. Es wurde nichts geändert.',
  ],
  [
    'The connection to the database was lost while it was writing. It is not known whether the change was made.',
    'Die Verbindung zur Datenbank ging beim Schreiben verloren. Ob die Änderung gemacht wurde, ist nicht bekannt.',
  ],
  [
    'Other calls work on the same records, and the database chose to stop this one. Nothing was changed.',
    'Andere Aufrufe arbeiten an denselben Datensätzen, und die Datenbank hat diesen abgebrochen. Es wurde nichts geändert.',
  ],
  [
    'The disk of the database is full. Nothing was written.',
    'Der Datenträger der Datenbank ist voll. Es wurde nichts geschrieben.',
  ],
  [
    'The database user of this service may not do that: {{text}}.',
    'Der Datenbankbenutzer dieses Dienstes darf das nicht: {{text}}.',
  ],
  [
    'A statement the service runs at connect failed: {{text}}.',
    'Eine Anweisung, die der Dienst beim Verbinden ausführt, ist gescheitert: {{text}}.',
  ],
  ['The answer is longer than {{limit}} characters.', 'Die Antwort ist länger als {{limit}} Zeichen.'],
  [
    "Field '{{field}}' of table '{{table}}' decides which records somebody may see: only administrators may drop, add or retype it.",
    'Feld „{{field}}“ der Tabelle „{{table}}“ entscheidet, welche Datensätze jemand sehen darf: Nur Administratoren dürfen es löschen, anlegen oder seine Art ändern.',
  ],
  [
    "The database can not be used: it shows the platform's own store (table '{{table}}').",
    'Die Datenbank lässt sich nicht verwenden: Sie zeigt den eigenen Speicher der Plattform (Tabelle „{{table}}“).',
  ],
  ['No data in schema {{act}} request.', 'Der Anfrage an das Schema fehlen Daten ({{act}}).'],
  ['Table schema received does not have a valid name.', 'Das Schema der Tabelle hat keinen gültigen Namen.'],
  [
    "A table with name '{{table}}' already exist in the database.",
    'Eine Tabelle mit dem Namen „{{table}}“ gibt es in der Datenbank schon.',
  ],
  [
    'The request contains no valid table field names or properties.',
    'Die Anfrage enthält keine gültigen Namen oder Eigenschaften von Feldern.',
  ],
  ['Invalid schema detected - no name element.', 'Ungültiges Schema: Der Name fehlt.'],
  ['Invalid schema detected - invalid or missing type element.', 'Ungültiges Schema: Die Art fehlt oder ist ungültig.'],
  [
    'Invalid schema detected - no {{element}} element for virtual relationship.',
    'Ungültiges Schema: Der virtuellen Relation fehlt {{element}}.',
  ],
  [
    "Invalid schema detected - no field '{{field}}' in table '{{table}}' for virtual relationship.",
    'Ungültiges Schema: Tabelle „{{table}}“ hat kein Feld „{{field}}“ für die virtuelle Relation.',
  ],
  [
    'Invalid schema detected - lists of fields that differ in length for virtual relationship.',
    'Ungültiges Schema: Die Listen von Feldern der virtuellen Relation sind ungleich lang.',
  ],
  [
    "Invalid schema detected - no service '{{service}}' for virtual relationship.",
    'Ungültiges Schema: Den Dienst „{{service}}“ der virtuellen Relation gibt es nicht.',
  ],
  [
    "Relationship '{{relation}}' already exists as non-virtual in table '{{table}}'.",
    'Die Relation „{{relation}}“ gibt es in Tabelle „{{table}}“ schon, und sie ist nicht virtuell.',
  ],
  [
    "Field '{{field}}' already exists as non-virtual in table '{{table}}'.",
    'Das Feld „{{field}}“ gibt es in Tabelle „{{table}}“ schon, und es ist nicht virtuell.',
  ],
  [
    "Field '{{field}}' already exists as virtual in table '{{table}}'.",
    'Das Feld „{{field}}“ gibt es in Tabelle „{{table}}“ schon, und es ist virtuell.',
  ],
  [
    "Invalid schema detected - unknown type '{{type}}' of virtual field '{{field}}'.",
    'Ungültiges Schema: unbekannter Typ „{{type}}“ des virtuellen Felds „{{field}}“.',
  ],
  ["The {{key}} of '{{name}}' {{problem}}.", '{{key}} von „{{name}}“: {{problem}}.'],
  ["The name '{{name}}' is already used in {{place}}.", 'Der Name „{{name}}“ wird schon verwendet: {{place}}.'],
  [
    "Table '{{table}}' would have more than {{limit}} virtual fields and relationships.",
    'Tabelle „{{table}}“ hätte mehr als {{limit}} virtuelle Felder und Relationen.',
  ],
  [
    "A change of table '{{table}}' names at most {{limit}} fields, relations or constraints.",
    'Eine Änderung von Tabelle „{{table}}“ nennt höchstens {{limit}} Felder, Relationen oder Fremdschlüssel.',
  ],
  ['Only administrators may change {{what}}.', 'Nur Administratoren dürfen das ändern: {{what}}.'],
  [
    "The db_function of field '{{field}}' is not usable: {{problem}}.",
    'Die db_function des Felds „{{field}}“ ist nicht brauchbar: {{problem}}.',
  ],
  ['Invalid schema detected - no type or db_type element.', 'Ungültiges Schema: type oder db_type fehlt.'],
  ['No valid fields exist in the received table schema.', 'Das Schema der Tabelle hat keine gültigen Felder.'],
  [
    'Invalid schema detected - no table element for reference type of {{field}}.',
    'Ungültiges Schema: Dem Verweis {{field}} fehlt die Tabelle.',
  ],
  [
    "Records of table '{{table}}' do not fit the change: {{problems}}.",
    'Datensätze der Tabelle „{{table}}“ passen nicht zur Änderung: {{problems}}.',
  ],
  [
    "Table '{{table}}' can not be changed that way: {{problem}}.",
    'Tabelle „{{table}}“ lässt sich so nicht ändern: {{problem}}.',
  ],
  [
    "The database can not undo the change of table '{{table}}', so that it can not be rolled back with the others.",
    'Die Datenbank kann die Änderung der Tabelle „{{table}}“ nicht zurücknehmen; so lässt sie sich nicht zusammen mit den anderen rückgängig machen.',
  ],
  [
    "Table '{{table}}' was changed, but what the service says of it could not be saved: {{text}}",
    'Tabelle „{{table}}“ wurde geändert, aber was der Dienst über sie sagt, ließ sich nicht speichern: {{text}}',
  ],
  [
    "Table '{{table}}' was in use for {{seconds}} s. Nothing was changed.",
    'Tabelle „{{table}}“ war {{seconds}} s lang in Gebrauch. Es wurde nichts geändert.',
  ],
  [
    'This table was not tried, since another one failed before it.',
    'Diese Tabelle wurde nicht versucht, weil zuvor eine andere gescheitert ist.',
  ],
  ["There is no write of a schema at '{{path}}'.", 'Unter „{{path}}“ wird kein Schema geschrieben.'],
  [
    "Table '{{table}}' could not be changed, nor put back as it was: {{text}}",
    'Tabelle „{{table}}“ ließ sich weder ändern noch zurücksetzen: {{text}}',
  ],
  [
    'The schema of databases of this type can not be changed here.',
    'Das Schema von Datenbanken dieser Art lässt sich hier nicht ändern.',
  ],
  ['Service does not implement API controlled cache.', 'Der Dienst hat keinen Cache, der sich leeren ließe.'],
  ['Could not find a service for {{service}}', 'Den Dienst {{service}} gibt es nicht.'],
  ['Service {{service}} is deactivated.', 'Der Dienst {{service}} ist abgeschaltet.'],
  ["Unsupported service type '{{type}}'.", 'Der Diensttyp „{{type}}“ wird nicht unterstützt.'],
  ["Resource '{{resource}}' not found for service '{{service}}'.", 'Der Dienst „{{service}}“ hat kein „{{resource}}“.'],
  [
    "Service '{{service}}' did not answer within {{seconds}} seconds.",
    'Der Dienst „{{service}}“ hat nicht innerhalb von {{seconds}} Sekunden geantwortet.',
  ],
  [
    "Service '{{service}}' is not available: its configuration names the lookup key {{{name}}}, which does not exist.",
    'Der Dienst „{{service}}“ ist nicht verfügbar: Seine Konfiguration nennt den Lookup-Schlüssel {{{name}}}, den es nicht gibt.',
  ],
  [
    "Service '{{service}}' is not available: lookup keys put more than {{limit}} characters into its configuration.",
    'Der Dienst „{{service}}“ ist nicht verfügbar: Lookup-Schlüssel setzen mehr als {{limit}} Zeichen in seine Konfiguration ein.',
  ],
  [
    'The configuration names the lookup key {{{name}}}: only an administrator may change or test it.',
    'Die Konfiguration nennt den Lookup-Schlüssel {{{name}}}: Nur ein Administrator darf sie ändern oder prüfen.',
  ],
  ["Service '{{service}}' is not available: {{problem}}", 'Der Dienst „{{service}}“ ist nicht verfügbar: {{problem}}'],
  ["Service type '{{type}}' not found.", 'Den Diensttyp „{{type}}“ gibt es nicht.'],
  ["Service '{{service}}' can not be deleted.", 'Der Dienst „{{service}}“ kann nicht gelöscht werden.'],
  ["There can be only one service of type '{{type}}'.", 'Vom Typ „{{type}}“ kann es nur einen Dienst geben.'],
  [
    "The {{field}} of service '{{service}}' can not be changed.",
    '{{field}} des Dienstes „{{service}}“ kann nicht geändert werden.',
  ],
  [
    'Database connection information must contain at least database name.',
    'Zur Verbindung mit der Datenbank wird mindestens ihr Name gebraucht.',
  ],
  [
    'Database connection information must contain at least host and database name.',
    'Zur Verbindung mit der Datenbank werden mindestens Host und Name der Datenbank gebraucht.',
  ],
  [
    "The database '{{database}}' can not be used: {{problem}}",
    'Die Datenbank „{{database}}“ kann nicht verwendet werden: {{problem}}',
  ],
  [
    "The statement '{{statement}}' may not run at connect.",
    'Die Anweisung „{{statement}}“ darf beim Verbinden nicht laufen.',
  ],
];
