// Was Dokumente von Operationen, ihren Parametern und Antworten sagen, Englisch und Deutsch. Ein Test nennt, was fehlt.

const resources = [
  ['administrators', 'Administratoren'],
  ['apps', 'Apps'],
  ['audit', 'Audit-Einträge'],
  ['cors', 'CORS-Regeln'],
  ['custom settings', 'eigene Einstellungen'],
  ['email templates', 'E-Mail-Vorlagen'],
  ['event scripts', 'Ereignis-Skripte'],
  ['limits', 'Limits'],
  ['lookup keys', 'Lookup-Schlüssel'],
  ['roles', 'Rollen'],
  ['services', 'Dienste'],
  ['users', 'Benutzer'],
].flatMap(([english, german]) => [
  [`List ${english}`, `${german} auflisten`],
  [`Create ${english}`, `${german} anlegen`],
  [`Update several ${english}`, `Mehrere ändern: ${german}`],
  [`Delete several ${english}`, `Mehrere löschen: ${german}`],
  [`Read one of the ${english}`, `Eines lesen: ${german}`],
  [`Update one of the ${english}`, `Eines ändern: ${german}`],
  [`Delete one of the ${english}`, `Eines löschen: ${german}`],
]);

const schemas = [
  ['tables', 'Tabellen'],
  ['a table', 'Eine Tabelle'],
  ['fields of a table', 'Felder einer Tabelle'],
  ['a field', 'Ein Feld'],
  ['relations of a table', 'Beziehungen einer Tabelle'],
  ['a relation', 'Eine Beziehung'],
].flatMap(([english, german]) => [
  [`Make or change ${english}`, `${german} anlegen oder ändern`],
  [`Change ${english}`, `${german} ändern`],
  [`Change ${english}, dropping fields that are left out`, `${german} ändern; weggelassene Felder werden entfernt`],
  [`Drop ${english}`, `${german} entfernen`],
]);

const routines = [
  ['function', 'functions', 'Funktion', 'Funktionen'],
  ['procedure', 'procedures', 'Prozedur', 'Prozeduren'],
].flatMap(([one, several, german, plural]) => [
  [`Call a stored ${one}`, `Eine gespeicherte ${german} aufrufen`],
  [`Call a stored ${one} with parameters`, `Eine gespeicherte ${german} mit Parametern aufrufen`],
  [
    `List the stored ${several}, or describe those of ids=`,
    `Gespeicherte ${plural} auflisten, oder die aus ids= beschreiben`,
  ],
]);

export const operations: Readonly<Record<string, string>> = {
  ...(Object.fromEntries([...resources, ...schemas, ...routines]) as Record<string, string>),
  // Antworten.
  Success: 'Erfolg',
  Error: 'Fehler',
  Records: 'Datensätze',
  'Resource List': 'Liste der Ressourcen',
  'Batch Error: Not all requested records could be ….': 'Nicht alle Datensätze konnten … werden.',
  'A number, or a code of the database.': 'Eine Zahl, oder ein Code der Datenbank.',
  'The messages of each field, or what came of each record.':
    'Die Meldungen zu jedem Feld, oder was aus jedem Datensatz wurde.',
  'Names the call in the log of the server.': 'Benennt den Aufruf im Log des Servers.',
  'By name; an empty list where there are none.': 'Nach Namen; eine leere Liste, wo es keine gibt.',
  // Datensätze und Schemas.
  'Retrieve records': 'Datensätze lesen',
  'Retrieve a record': 'Einen Datensatz lesen',
  'Create records': 'Datensätze anlegen',
  'Update records': 'Datensätze ändern',
  'Update a record': 'Einen Datensatz ändern',
  'Delete records': 'Datensätze löschen',
  'Delete a record': 'Einen Datensatz löschen',
  'List the tables': 'Tabellen auflisten',
  'List the tables, or describe those of ids=': 'Tabellen auflisten, oder die aus ids= beschreiben',
  'Describe a table': 'Eine Tabelle beschreiben',
  'Describe a field': 'Ein Feld beschreiben',
  'Describe a relation': 'Eine Beziehung beschreiben',
  'Describe the fields of a table': 'Die Felder einer Tabelle beschreiben',
  'Describe the relations of a table': 'Die Beziehungen einer Tabelle beschreiben',
  'Tell what a write of the schema would do, without doing it':
    'Sagen, was eine Änderung des Schemas täte, ohne sie auszuführen',
  'List the resources of the service': 'Die Ressourcen des Dienstes auflisten',
  // Dateien und Repositorys.
  'List the root folder': 'Den obersten Ordner auflisten',
  'List a folder': 'Einen Ordner auflisten',
  'Read a file': 'Eine Datei lesen',
  'Write a file': 'Eine Datei schreiben',
  'Write files and folders': 'Dateien und Ordner schreiben',
  'Delete a file': 'Eine Datei löschen',
  'Delete a folder': 'Einen Ordner löschen',
  'Delete files and folders': 'Dateien und Ordner löschen',
  'Change properties': 'Eigenschaften ändern',
  'List the repositories': 'Die Repositorys auflisten',
  'List a folder of a repository, or read a file': 'Einen Ordner eines Repositorys auflisten, oder eine Datei lesen',
  // Sitzungen und Konten.
  'Sign in': 'Anmelden',
  'Sign out': 'Abmelden',
  'Renew the session': 'Die Sitzung erneuern',
  'The session of the caller': 'Die Sitzung des Aufrufers',
  'The profile of the caller': 'Das Profil des Aufrufers',
  'Change the own profile': 'Das eigene Profil ändern',
  'Set a new password': 'Ein neues Passwort setzen',
  'By the old one; with reset=true it asks for a mail, whose code then sets the new one.':
    'Mit dem alten; mit reset=true wird eine E-Mail verlangt, deren Code dann das neue setzt.',
  'Of the mail that reset asked for.': 'Aus der E-Mail, die mit reset verlangt wurde.',
  'Make an own account': 'Ein eigenes Konto anlegen',
  'Of the mail that confirms.': 'Aus der E-Mail zur Bestätigung.',
  'Keep own values': 'Eigene Werte ablegen',
  'List the own values': 'Die eigenen Werte auflisten',
  'One of the own values': 'Einer der eigenen Werte',
  'Change own values': 'Eigene Werte ändern',
  'Change one of the own values': 'Einen der eigenen Werte ändern',
  'Delete own values': 'Eigene Werte löschen',
  'Delete one of the own values': 'Einen der eigenen Werte löschen',
  // System.
  'Create a role and an app with its API key together':
    'Eine Rolle und eine App mit ihrem API-Schlüssel in einem anlegen',
  'Of the role and of the app.': 'Der Rolle und der App.',
  'A table of the service.': 'Eine Tabelle des Dienstes.',
  'A file service.': 'Ein Dateidienst.',
  'Several tables of the service, in place of `table`: 100 at most.':
    'Mehrere Tabellen des Dienstes anstelle von `table`: höchstens 100.',
  'A limit on the calls of the new role. Needs POST on `limit`.':
    'Ein Limit für die Aufrufe der neuen Rolle. Braucht POST auf `limit`.',
  'Where a limit was asked for.': 'Wo ein Limit verlangt war.',
  'Create or update the event script of that name': 'Das Ereignis-Skript dieses Namens anlegen oder ändern',
  'Flush everything': 'Alles Gemerkte vergessen',
  'Flush one service': 'Das Gemerkte eines Dienstes vergessen',
  'Flush the scripts of all events': 'Die gemerkten Skripte aller Ereignisse vergessen',
  'Flush one script, of an event or of a service':
    'Ein gemerktes Skript vergessen, das eines Ereignisses oder Dienstes',
  'List the services whose memory can be flushed': 'Die Dienste auflisten, die Gemerktes vergessen können',
  'How a template looks with sample values': 'Wie eine Vorlage mit Beispielwerten aussieht',
  'Send a template with sample values to oneself': 'Sich eine Vorlage mit Beispielwerten schicken',
  'How often keys were used, and when last': 'Wie oft Schlüssel benutzt wurden, und wann zuletzt',
  'How often services were called, by hour, and when last':
    'Wie oft Dienste aufgerufen wurden, nach Stunden, und wann zuletzt',
  'List the constants, of which there are none': 'Die Konstanten auflisten; es gibt keine',
  'List the counters': 'Die Zähler auflisten',
  'One counter': 'Ein Zähler',
  'Set counters back': 'Zähler zurücksetzen',
  'Set one counter back': 'Einen Zähler zurücksetzen',
  'What a limit would have refused in the last hour': 'Was ein Limit in der letzten Stunde abgewiesen hätte',
  'List the events of services': 'Die Ereignisse der Dienste auflisten',
  'List the languages of scripts': 'Die Sprachen von Skripten auflisten',
  'One language of scripts': 'Eine Sprache von Skripten',
  'List the service types': 'Die Arten von Diensten auflisten',
  'One service type': 'Eine Art von Dienst',
  'Try a configuration without saving it': 'Eine Konfiguration ausprobieren, ohne sie zu speichern',
  'The last calls of a service that failed, newest first':
    'Die letzten fehlgeschlagenen Aufrufe eines Dienstes, die neuesten zuerst',
  'The last runs of scripts, newest first': 'Die letzten Läufe von Skripten, die neuesten zuerst',
  'What a script would do with a call': 'Was ein Skript mit einem Aufruf täte',
  'Who can change a file that a script is linked to': 'Wer eine Datei ändern kann, mit der ein Skript verknüpft ist',
  'What clients need to know of this instance': 'Was Clients von dieser Instanz wissen müssen',
  'Why a call of somebody is allowed or not': 'Warum jemandes Aufruf erlaubt ist oder nicht',
  // Pakete.
  'Export what a manifest names, or import a package':
    'Exportieren, was ein Manifest nennt, oder ein Paket importieren',
  'With JSON that names items it exports them into a file service, and answers 200. With a file in the field `files` of a form, or `import_url`, it imports a package: 201 when something was imported.':
    'Mit JSON, das Einträge nennt, werden sie in einen Dateidienst exportiert; die Antwort ist 200. Mit einer Datei im Feld `files` eines Formulars, oder mit `import_url`, wird ein Paket importiert: 201, wenn etwas importiert wurde.',
  'What the caller can export': 'Was der Aufrufer exportieren kann',
  'The version of the format.': 'Die Version des Formats.',
  'The level of the contract of the instance that made it.': 'Der Vertragsstand der Instanz, die es gemacht hat.',
  'Whether the archive is encrypted.': 'Ob das Archiv verschlüsselt ist.',
  'By name of a service: lists by resource, of file services a list of paths.':
    'Nach dem Namen eines Dienstes: Listen nach Ressource, bei Dateidiensten eine Liste von Pfaden.',
  'Absent: each service that holds data now.': 'Fehlt es: jeder Dienst, der jetzt Daten hat.',
  'Of a secured archive, six characters or more.': 'Eines geschützten Archivs, mindestens sechs Zeichen.',
  'Of an export: the address of the archive.': 'Bei einem Export: die Adresse des Archivs.',
  'Of an export: whether everybody may read the archive.': 'Bei einem Export: ob alle das Archiv lesen dürfen.',
  'Of an import: texts by `notice`, `warning` and `error`; an empty list where there are none.':
    'Bei einem Import: Texte nach `notice`, `warning` und `error`; eine leere Liste, wo es keine gibt.',
  // Skripte, E-Mails und Dokumente.
  'Run the script': 'Das Skript ausführen',
  'Send an email': 'Eine E-Mail senden',
  'Values for placeholders, and for fields of an email that neither the call nor the template has.':
    'Werte für Platzhalter, und für Felder einer E-Mail, die weder der Aufruf noch die Vorlage hat.',
  'The document of a service': 'Das Dokument eines Dienstes',
  'The document of all services': 'Das Dokument aller Dienste',
  'What the caller may do, as JSON or YAML.': 'Was der Aufrufer darf, als JSON oder YAML.',
  'What the caller may do, as JSON or YAML. With as_list the names of the services that have a document.':
    'Was der Aufrufer darf, als JSON oder YAML. Mit as_list die Namen der Dienste, die ein Dokument haben.',
  // Parameter.
  'Fields to answer, separated by commas; * for all.': 'Felder der Antwort, durch Kommas getrennt; * für alle.',
  'Relations to answer with each record, separated by commas; * for all.':
    'Beziehungen, die mit jedem Datensatz geantwortet werden, durch Kommas getrennt; * für alle.',
  "Which records: (price > 10) and (name like 'L%').": "Welche Datensätze: (price > 10) and (name like 'L%').",
  'How many records at most.': 'Höchstens wie viele Datensätze.',
  'How many records to pass over.': 'Wie viele Datensätze übergangen werden.',
  'The next page, as meta.after of the page before names it.':
    'Die nächste Seite, wie meta.after der vorigen sie benennt.',
  'Fields to order by: name ASC, id DESC.': 'Felder, nach denen geordnet wird: name ASC, id DESC.',
  'Fields to group by.': 'Felder, nach denen gruppiert wird.',
  'Identifiers of records, separated by commas.': 'Bezeichner von Datensätzen, durch Kommas getrennt.',
  'The field that identifies a record, instead of the key.':
    'Das Feld, das einen Datensatz bezeichnet, anstelle des Schlüssels.',
  'Answers how many records there are as meta.count.': 'Antwortet in meta.count, wie viele Datensätze es gibt.',
  'Answers the description of the table as meta.schema.': 'Antwortet in meta.schema die Beschreibung der Tabelle.',
  'Answers how many records there are, and nothing else.': 'Antwortet, wie viele Datensätze es gibt, und sonst nichts.',
  'Answers a list of values instead of records.': 'Antwortet eine Liste von Werten anstelle von Datensätzen.',
  'Reads again what is remembered.': 'Liest neu, was gemerkt ist.',
  'Only what belongs to the service system.': 'Nur, was zum Dienst system gehört.',
  'The password of a secured package.': 'Das Passwort eines geschützten Pakets.',
  'Changes what is there already, rather than leaving it.': 'Ändert, was es schon gibt, anstatt es zu lassen.',
  'Goes on after a record that fails.': 'Macht nach einem Datensatz weiter, der scheitert.',
  'Takes everything back when a record fails.': 'Nimmt alles zurück, wenn ein Datensatz scheitert.',
  'Deletes everything where nothing else selects.': 'Löscht alles, wo sonst nichts auswählt.',
  'Answers what the caller may do with each.': 'Antwortet, was der Aufrufer mit jedem darf.',
  'Answers what roles may name.': 'Antwortet, was Rollen nennen können.',
  'How many hours back.': 'Wie viele Stunden zurück.',
  'Answers the events that scripts can run at.': 'Antwortet die Ereignisse, bei denen Skripte laufen können.',
  'The name of a script.': 'Der Name eines Skripts.',
  'The id of the service that holds a script.': 'Die Id des Dienstes, in dem ein Skript liegt.',
  'Where a script lies in its service.': 'Wo ein Skript in seinem Dienst liegt.',
  'false: what the script prints is not logged.': 'false: was das Skript ausgibt, kommt nicht ins Log.',
  'The number of the page.': 'Die Nummer der Seite.',
  'How many repositories a page has.': 'Wie viele Repositorys eine Seite hat.',
  'A path within the repository.': 'Ein Pfad im Repository.',
  'The branch.': 'Der Branch.',
  'The tag, where no branch is named.': 'Der Tag, wo kein Branch genannt ist.',
  'Lists files.': 'Listet Dateien auf.',
  'Lists folders.': 'Listet Ordner auf.',
  'Lists what is in folders below, too.': 'Listet auch auf, was in Unterordnern liegt.',
  'A part of the names to list.': 'Ein Teil der Namen, die aufgelistet werden.',
  'Answers the properties of the folder or the file.': 'Antwortet die Eigenschaften des Ordners oder der Datei.',
  'Answers a zip file.': 'Antwortet eine Zip-Datei.',
  'An address to take the file from.': 'Eine Adresse, von der die Datei geholt wird.',
  'The name of the file.': 'Der Name der Datei.',
  'Unpacks a zip file.': 'Entpackt eine Zip-Datei.',
  'Empties the folder first.': 'Leert zuerst den Ordner.',
  'Refuses what is there already.': 'Weist ab, was es schon gibt.',
  'Answers the file as a download.': 'Antwortet die Datei als Download.',
  'Answers the content with the properties.': 'Antwortet den Inhalt mit den Eigenschaften.',
  'Answers the content in base64.': 'Antwortet den Inhalt in Base64.',
  'Succeeds also where there is no such file.': 'Gelingt auch, wo es die Datei nicht gibt.',
  'Deletes what is in the folder and keeps the folder.': 'Löscht, was im Ordner liegt, und behält den Ordner.',
  'The name of an email template.': 'Der Name einer E-Mail-Vorlage.',
  'The id of an email template.': 'Die Id einer E-Mail-Vorlage.',
  'Signs in at once.': 'Meldet sogleich an.',
  'Asks for a mail with a code.': 'Verlangt eine E-Mail mit einem Code.',
  'The version of OpenAPI: 3.0 as older servers have it, or 3.1.':
    'Die Version von OpenAPI: 3.0, wie ältere Server sie haben, oder 3.1.',
  'Answers a download of this name.': 'Antwortet einen Download dieses Namens.',
  'Create apps, or import one from a package': 'Apps anlegen oder eine aus einem Paket importieren',
  'With a file in the field `file` of a form, or a body `{import_url, storage_service_id, storage_container}`, it imports a package, and answers 200 and the new app.':
    'Mit einer Datei im Feld `file` eines Formulars oder einem Rumpf `{import_url, storage_service_id, storage_container}` importiert es ein Paket und antwortet 200 und die neue App.',
  'With `pkg=true` it answers the app as a package.': 'Mit `pkg=true` antwortet es die App als Paket.',
  'Make a new table of a CSV file': 'Eine neue Tabelle aus einer CSV-Datei machen',
  'The file comes in the field `file` of a form, or from `import_url`. Its first row names the fields, which are nullable texts; the table has no primary key. When a record is refused, the table is dropped again.':
    'Die Datei kommt im Feld `file` eines Formulars oder von `import_url`. Ihre erste Zeile nennt die Felder, Texte, die leer sein dürfen; die Tabelle hat keinen Primärschlüssel. Wird ein Datensatz abgewiesen, so wird die Tabelle wieder gelöscht.',
  'An address to take the file from; its name ends in .csv.':
    'Eine Adresse, von der die Datei geholt wird; ihr Name endet auf .csv.',
  'A database service; absent: db.': 'Ein Datenbankdienst; fehlt er: db.',
  'The name of the new table; absent: import_ and the time in seconds.':
    'Der Name der neuen Tabelle; fehlt er: import_ und die Zeit in Sekunden.',
  'The address of the table.': 'Die Adresse der Tabelle.',
  'Call the remote service': 'Den entfernten Dienst aufrufen',
  'What stands behind the name of the service is the path of the call. A definition of the service describes its paths.':
    'Was hinter dem Namen des Dienstes steht, ist der Pfad des Aufrufs. Eine Definition des Dienstes beschreibt seine Pfade.',
  'Log a message': 'Eine Meldung protokollieren',
  'It is sent beside the call, which does not wait for the log server.':
    'Sie wird neben dem Aufruf gesendet, der nicht auf den Log-Server wartet.',
  'INFO where it is absent.': 'INFO, wo sie fehlt.',
  'What goes along with it.': 'Was mit ihr mitgeht.',
  'List the operations': 'Die Operationen auflisten',
  'Those that the caller may call in any way, in natural order.':
    'Die, die der Aufrufer in irgendeiner Weise aufrufen darf, in natürlicher Reihenfolge.',
  'Call an operation': 'Eine Operation aufrufen',
  'Call an operation with arguments in the query': 'Eine Operation mit Argumenten in der Query aufrufen',
  'The name of the operation counts in any letter case. {"soapvar": {"data", "type_name", "type_namespace"}} is a value that says its own type.':
    'Der Name der Operation zählt in jeder Groß- und Kleinschreibung. {"soapvar": {"data", "type_name", "type_namespace"}} ist ein Wert, der seinen Typ selbst nennt.',
  'What roles may name; a value has to be named by its key':
    'Was Rollen nennen können; ein Wert muss durch seinen Schlüssel genannt werden',
  'Store values that are not there yet': 'Werte ablegen, die es noch nicht gibt',
  'Store values': 'Werte ablegen',
  'Refused: what is deleted has to be named by its key':
    'Abgewiesen: was gelöscht wird, muss durch seinen Schlüssel genannt werden',
  'Read a value': 'Einen Wert lesen',
  'With `clear=true`, or `pull=true`, it is deleted as well, which takes the right to delete it.':
    'Mit `clear=true` oder `pull=true` wird er auch gelöscht, wofür es das Recht braucht, ihn zu löschen.',
  'Store a value that is not there yet': 'Einen Wert ablegen, den es noch nicht gibt',
  'Store a value': 'Einen Wert ablegen',
  'Delete a value': 'Einen Wert löschen',
  'Sign in by tokens of the provider': 'Durch Token des Anbieters anmelden',
  'For native clients: the token response of the provider, which has to be issued for this instance.':
    'Für native Clients: die Token-Antwort des Anbieters, die für diese Instanz ausgestellt sein muss.',
  'Go to the provider to sign in': 'Zur Anmeldung zum Anbieter gehen',
  'A redirect (302), for browsers: the cookie that comes with it has to be there when they come back.':
    'Eine Weiterleitung (302), für Browser: Das Cookie, das mitkommt, muss da sein, wenn sie zurückkommen.',
  'Sign in by the answer of the provider': 'Durch die Antwort des Anbieters anmelden',
  'The form that the provider has the browser send. Where the browser has no cookie with it, as it comes from another site, it is sent on (303) to bring it.':
    'Das Formular, das der Anbieter den Browser schicken lässt. Wo der Browser kein Cookie mitbringt, weil er von einer anderen Website kommt, wird er weitergeschickt (303), um es zu bringen.',
  'Complete the sign-in with the cookie of the browser': 'Die Anmeldung mit dem Cookie des Browsers abschließen',
  'Where the answer of the provider came without it.': 'Wo die Antwort des Anbieters ohne es kam.',
  'This instance as a service provider': 'Diese Instanz als Dienstanbieter (Service Provider)',
  'Metadata of SAML 2.0, for the provider.': 'Metadaten von SAML 2.0, für den Anbieter.',
  'The name of a service; for a package of several, separated by commas.':
    'Der Name eines Dienstes; für ein Paket mehrere, durch Kommas getrennt.',
  'Completes a sign-in that came back from a provider, with all parameters it came back with.':
    'Schließt eine Anmeldung ab, die von einem Anbieter zurückkam, mit allen Parametern, mit denen sie zurückkam.',
  'The state of that sign-in.': 'Der Zustand (state) jener Anmeldung.',
  'What the provider gave for it.': 'Was der Anbieter dafür gab.',
  'Answers the app as a package.': 'Antwortet die App als Paket.',
  'Adds the records of the tables that schema names.': 'Fügt die Datensätze der Tabellen hinzu, die schema nennt.',
  'The schema of the database whose names are listed; for a package its tables as JSON, {"db":["todo"]}.':
    'Das Schema der Datenbank, dessen Namen aufgelistet werden; für ein Paket seine Tabellen als JSON, {"db":["todo"]}.',
  'The name of a new table.': 'Der Name einer neuen Tabelle.',
};
