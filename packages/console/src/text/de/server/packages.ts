// Meldungen des Fehlerkatalogs, Englisch und Deutsch: package, import.
import type { MessageWords } from '../../server-words.ts';

export const packages: MessageWords = [
  ['Password is required for secured package.', 'Für ein gesichertes Paket ist ein Passwort nötig.'],
  [
    'Password must be at least 6 characters long for secured package.',
    'Das Passwort eines gesicherten Pakets muss mindestens 6 Zeichen haben.',
  ],
  ['No items found in package manifest.', 'Im Manifest des Pakets steht nichts.'],
  ['Resource not found for {{item}}', '{{item}} wurde nicht gefunden'],
  ['No resource ids or filter provided for {{item}}.', 'Für {{item}} fehlen IDs oder ein Filter.'],
  [
    'Granular export not supported for resource {{resource}}',
    'Die Ressource {{resource}} kann nicht in Teilen exportiert werden',
  ],
  [
    'Granular export for _table resource is not supported.',
    'Die Ressource _table kann nicht in Teilen exportiert werden.',
  ],
  ['Exporting {{resource}} resource is not supported.', 'Die Ressource {{resource}} kann nicht exportiert werden.'],
  ['Can not find storage service {{service}}.', 'Es gibt keinen Dateidienst {{service}}.'],
  ['Failed to export resources. {{text}}', 'Der Export ist fehlgeschlagen. {{text}}'],
  [
    'Failed to save the exported package using storage service {{service}}. {{text}}',
    'Das Paket konnte nicht im Dateidienst {{service}} gespeichert werden. {{text}}',
  ],
  [
    'The package has more than {{limit}} bytes, the most that is accepted.',
    'Das Paket hat mehr als {{limit}} Bytes; mehr wird nicht angenommen.',
  ],
  [
    "'{{path}}' of the package has more than {{limit}} bytes, the most that is accepted.",
    '„{{path}}“ im Paket hat mehr als {{limit}} Bytes; mehr wird nicht angenommen.',
  ],
  [
    'Cannot read package manifest. A valid password is required if this is a secured package.',
    'Das Manifest des Pakets ist nicht lesbar. Ein gesichertes Paket braucht das richtige Passwort.',
  ],
  ['Invalid password.', 'Das Passwort ist falsch.'],
  [
    "Only package files ending with 'zip' are allowed for import.",
    'Importiert werden nur Pakete, deren Name auf „zip“ endet.',
  ],
  ['Only a single package file is allowed for import.', 'Importiert wird nur eine Paketdatei auf einmal.'],
  ['Invalid package supplied.', 'Das Paket ist ungültig.'],
  [
    "Invalid package supplied. '{{path}}' is not what a package has there.",
    'Das Paket ist ungültig. „{{path}}“ ist nicht, was dort in einem Paket steht.',
  ],
  [
    'The package has version {{version}}, and this server reads packages up to version {{known}}.',
    'Das Paket hat die Version {{version}}; dieser Server liest Pakete bis zur Version {{known}}.',
  ],
  ['Failed to open imported zip file.', 'Die Datei ist keine lesbare ZIP-Datei.'],
  ['Failed to import package from {{url}}. {{text}}', 'Das Paket konnte nicht von {{url}} importiert werden. {{text}}'],
  [
    'Only a single application package file is allowed for import.',
    'Importiert wird nur eine App-Paketdatei auf einmal.',
  ],
  [
    "Only package files ending with 'dfpkg' are allowed for import.",
    'Importiert werden nur Pakete, deren Name auf „dfpkg“ endet.',
  ],
  ['Error opening zip file.', 'Die Datei ist keine lesbare ZIP-Datei.'],
  ['No application description file in this package file.', 'Im Paket fehlt die Beschreibung der App.'],
  ['No App name provided in description.json', 'In description.json fehlt der Name der App.'],
  ['No Application Path provided in description.json', 'In description.json fehlt der Pfad der App.'],
  ['No Application URL provided in description.json', 'In description.json fehlt die URL der App.'],
  ['Invalid Storage Service provided.', 'Der angegebene Dienst ist kein aktiver Dateidienst.'],
  [
    'Could not create the database tables for this application.\nDatabase service or schema not found in schema.json.',
    'Die Tabellen der App konnten nicht angelegt werden.\nIn schema.json fehlt der Datenbankdienst oder das Schema.',
  ],
  [
    'Could not create the database tables for this application.\nDatabase service or data not found.',
    'Die Tabellen der App konnten nicht angelegt werden.\nIn data.json fehlt der Datenbankdienst oder der Inhalt.',
  ],
  ['Could not create the application.\n{{text}}', 'Die App konnte nicht angelegt werden.\n{{text}}'],
  ['Could not create the services.\n{{text}}', 'Die Dienste konnten nicht angelegt werden.\n{{text}}'],
  [
    'Could not create the database tables for this application.\n{{text}}',
    'Die Tabellen der App konnten nicht angelegt werden.\n{{text}}',
  ],
  [
    'Could not import the files of this application.\n{{text}}',
    'Die Dateien der App konnten nicht importiert werden.\n{{text}}',
  ],
  ['App not found in database with app id - {{id}}', 'Es gibt keine App mit der Nummer {{id}}.'],
  [
    "The parameter 'schema' has to be a JSON object of lists of tables by service.",
    'Der Parameter „schema“ muss ein JSON-Objekt aus Listen von Tabellen je Dienst sein.',
  ],
  [
    "The file '{{path}}' of the app has a name that packages keep for themselves.",
    'Die Datei „{{path}}“ der App hat einen Namen, den Pakete für sich brauchen.',
  ],
  ['Failed to insert {{what}}. {{text}}', '{{what}} konnte nicht eingefügt werden. {{text}}'],
  [
    'No import file supplied. Please upload a file or provide an URL of a file to import. Supported file type(s) is/are csv.',
    'Es fehlt die Datei zum Importieren: als Teil des Formulars oder als Adresse. Möglich ist CSV.',
  ],
  ['Unsupported file type. Supported types are csv', 'Dieser Dateityp wird nicht importiert. Möglich ist CSV'],
  ['Only a single file is allowed for import.', 'Importiert wird nur eine Datei auf einmal.'],
  [
    'Importing CSV data into existing DB table [{{table}}] is not supported.',
    'Die Tabelle {{table}} gibt es schon; CSV wird nur in eine neue Tabelle importiert.',
  ],
  [
    'The uploaded CSV is empty. Its first row has to name the fields.',
    'Die CSV-Datei ist leer. Ihre erste Zeile muss die Felder nennen.',
  ],
  [
    'First row in the uploaded CSV contains numeric value and cannot be used as field name. Please make sure first row of your CSV file is the header row.',
    'In der ersten Zeile der CSV-Datei steht eine Zahl, die kein Feldname sein kann. Die erste Zeile muss die Felder nennen.',
  ],
  [
    'Cell {{position}} in the first row of the uploaded CSV names no field.',
    'Zelle {{position}} in der ersten Zeile der CSV-Datei nennt kein Feld.',
  ],
  [
    'Importing resource(s) to service type group [{{group}}] is not currently supported.',
    'In Dienste der Gruppe {{group}} kann nicht importiert werden.',
  ],
  ['Failed to import file from {{url}}. {{text}}', 'Die Datei konnte nicht von {{url}} importiert werden. {{text}}'],
  [
    'Record {{record}} of the uploaded CSV could not be inserted. {{text}}',
    'Datensatz {{record}} der CSV-Datei konnte nicht eingefügt werden. {{text}}',
  ],
  [
    "{{text}} Table '{{table}}' could not be dropped again. {{problem}}",
    '{{text}} Die Tabelle „{{table}}“ konnte nicht wieder gelöscht werden. {{problem}}',
  ],
];
