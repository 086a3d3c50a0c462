// Meldungen des Fehlerkatalogs, Englisch und Deutsch: app, cors, record, person, lookup, filter, page, field, table, related, routine, validation.
import type { MessageWords } from '../../server-words.ts';

export const records: MessageWords = [
  [
    "The app '{{app}}' holds the API key of the console and can not be deleted.",
    'Die App „{{app}}“ hat den API-Schlüssel der Konsole und kann nicht gelöscht werden.',
  ],
  [
    "The app '{{app}}' holds the API key of the console: {{field}} can not be changed.",
    'Die App „{{app}}“ hat den API-Schlüssel der Konsole: {{field}} kann nicht geändert werden.',
  ],
  [
    "The app '{{app}}' is deleted, but not all of its files in '{{place}}': {{text}}",
    'Die App „{{app}}“ ist gelöscht, nicht aber alle ihre Dateien in „{{place}}“: {{text}}',
  ],
  [
    'No record(s) detected in request. Please make sure record(s) are wrapped in a \'resource\' tag. Example: {"resource":[{"record":1},{"record":2}]}',
    'Die Anfrage enthält keinen Datensatz. Datensätze gehören in „resource“, etwa so: {"resource":[{"record":1},{"record":2}]}',
  ],
  ['There may be {{limit}} CORS entries at most.', 'Es darf höchstens {{limit}} CORS-Einträge geben.'],
  [
    'One person, role, app or the instance may have {{keys}} public lookup keys with {{bytes}} bytes of names and values; these would be {{count}} with {{sum}} bytes.',
    'Eine Person, eine Rolle, eine App und die Instanz haben je höchstens {{keys}} öffentliche Lookup-Schlüssel mit {{bytes}} Bytes an Namen und Werten; dies wären {{count}} mit {{sum}} Bytes.',
  ],
  [
    'What stands for names in braces may have {{max}} characters in one call; it has more.',
    'Was für Namen in Klammern eingesetzt wird, darf je Aufruf {{max}} Zeichen haben; es sind mehr.',
  ],
  [
    'Values are put in for {{max}} names in braces in one call; it has more.',
    'Für höchstens {{max}} Namen in Klammern werden je Aufruf Werte eingesetzt; es sind mehr.',
  ],
  [
    'What {{{name}}} stands for was not read: one owner may have {{keys}} public lookup keys with {{bytes}} bytes, and has more.',
    'Wofür {{{name}}} steht, wurde nicht gelesen: Erlaubt sind je Besitzer {{keys}} öffentliche Lookup-Schlüssel mit {{bytes}} Bytes, und es sind mehr.',
  ],
  ["Record with identifier '{{id}}' not found.", 'Einen Datensatz mit der Kennung „{{id}}“ gibt es nicht.'],
  ['A batch may hold {{limit}} records at most.', 'Eine Sammlung hat höchstens {{limit}} Datensätze.'],
  [
    'Create record by identifier not currently supported.',
    'Einen Datensatz unter einer Kennung anzulegen wird derzeit nicht unterstützt.',
  ],
  ['No filter or records given for delete request.', 'Zum Löschen fehlen ein Filter oder Datensätze.'],
  [
    'Records of this resource can not be deleted by filter.',
    'Datensätze dieser Art lassen sich nicht nach einem Filter löschen.',
  ],
  [
    'Identifying field "{{field}}" can not be empty for update request . ',
    'Das Feld „{{field}}“, das den Datensatz benennt, darf beim Ändern nicht leer sein.',
  ],
  ['A request for one record may carry only one record.', 'Eine Anfrage für einen Datensatz darf nur einen enthalten.'],
  ['Record {{index}} is not an object.', 'Datensatz {{index}} ist kein Objekt.'],
  ['Unknown relationship: {{name}}', 'Unbekannte Relation: {{name}}'],
  [
    'Bad data supplied for {{relation}}. Related data must be supplied as array.',
    'Falsche Daten für {{relation}}. Verwandte Datensätze werden als Liste gesendet.',
  ],
  [
    'Creating related record of relation type "{{kind}}" is not supported.',
    'Verwandte Datensätze der Art „{{kind}}“ anzulegen wird nicht unterstützt.',
  ],
  [
    'The record was changed by someone else in the meantime.',
    'Der Datensatz wurde inzwischen von jemand anderem geändert.',
  ],
  ['Not allowed to change an admin user.', 'Ein Administrator darf hier nicht geändert werden.'],
  ['Cannot update a non-admin user.', 'Wer kein Administrator ist, kann hier nicht geändert werden.'],
  ['Not allowed to delete an admin user.', 'Ein Administrator darf hier nicht gelöscht werden.'],
  ['Cannot delete a non-admin user.', 'Wer kein Administrator ist, kann hier nicht gelöscht werden.'],
  [
    'Only administrators may create, change or delete administrators.',
    'Nur Administratoren dürfen Administratoren anlegen, ändern oder löschen.',
  ],
  [
    'Only administrators may set the password or the security question of another person.',
    'Nur Administratoren dürfen Passwort oder Sicherheitsfrage einer anderen Person setzen.',
  ],
  [
    'Your own password and security question are not changed here.',
    'Das eigene Passwort und die Sicherheitsfrage werden nicht hier geändert.',
  ],
  ['Cannot delete your account.', 'Das eigene Konto kann nicht gelöscht werden.'],
  ['Cannot deactivate your account.', 'Das eigene Konto kann nicht abgeschaltet werden.'],
  ['The last active administrator cannot be removed.', 'Der letzte aktive Administrator kann nicht entfernt werden.'],
  [
    'Multiple user-to-app-to-role assignment. You can only have a single user-to-app-to-role assignment.',
    'Eine Person hat in einer App höchstens eine Rolle.',
  ],
  ['User with this identifier has already confirmed this account.', 'Dieses Konto wurde schon bestätigt.'],
  ['Error processing user invite. {{reason}}', 'Die Einladung ging nicht hinaus: {{reason}}'],
  [
    'Not all users were created successfully. Check log for more details.',
    'Nicht alle Benutzer konnten angelegt werden. Einzelheiten stehen im Protokoll.',
  ],
  [
    'The configuration of a service names {{{name}}}: only an administrator may say what it stands for.',
    'Die Konfiguration eines Dienstes nennt {{{name}}}: Nur ein Administrator darf sagen, wofür es steht.',
  ],
  [
    'A record filter goes by {{{name}}}: only who may see the records without it may say what it stands for.',
    'Ein Datensatzfilter geht nach {{{name}}}: Nur wer die Datensätze ohne ihn sehen darf, darf sagen, wofür es steht.',
  ],
  ['Lookup name can not be modified to one that already exists.', 'Ein Lookup kann nicht so heißen wie ein anderes.'],
  ['Invalid or unparsable filter request.', 'Der Filter ist ungültig oder nicht lesbar.'],
  [
    "Invalid or unparsable field in filter request: '{{field}}'",
    'Ungültiges oder nicht lesbares Feld im Filter: „{{field}}“',
  ],
  ['Filter value lists must be wrapped in parentheses.', 'Wertelisten im Filter stehen in Klammern.'],
  [
    'The filter is nested more than {{limit}} levels deep.',
    'Der Filter ist tiefer als {{limit}} Ebenen verschachtelt.',
  ],
  ['The filter is longer than {{limit}} {{unit}}.', 'Der Filter ist länger als {{limit}} {{unit}}.'],
  ["The function '{{text}}' is not allowed in a filter.", 'Die Funktion „{{text}}“ ist in einem Filter nicht erlaubt.'],
  ['Invalid order by clause in request.', 'Die Reihenfolge der Anfrage ist ungültig.'],
  ["Invalid field '{{field}}' in order by clause.", 'Ungültiges Feld „{{field}}“ in der Reihenfolge.'],
  ['Use of the sleep() function not supported.', 'Die Funktion sleep() wird nicht unterstützt.'],
  ["More than {{limit}} names in '{{parameter}}'.", 'Mehr als {{limit}} Namen in „{{parameter}}“.'],
  ['Invalid group by clause in request.', 'Die Gruppierung der Anfrage ist ungültig.'],
  ["Invalid field '{{field}}' in group by clause.", 'Ungültiges Feld „{{field}}“ in der Gruppierung.'],
  [
    "Field '{{field}}' has to be in group to be asked for beside an aggregate.",
    'Feld „{{field}}“ muss gruppiert werden, um neben einem Aggregat verlangt zu werden.',
  ],
  ['Invalid field requested: {{field}}', 'Ungültiges Feld verlangt: {{field}}'],
  [
    'The value of after= is none that this table gave for this order.',
    'Diesen Wert von after= hat diese Tabelle in dieser Reihenfolge nicht gegeben.',
  ],
  [
    'after= does not go with offset, group, as_list or file.',
    'after= geht nicht zusammen mit offset, group, as_list oder file.',
  ],
  [
    'after= needs an order by fields that are columns of the table.',
    'after= braucht eine Reihenfolge nach Feldern, die Spalten der Tabelle sind.',
  ],
  ["Field '{{field}}' can not be NULL.", 'Feld „{{field}}“ darf nicht NULL sein.'],
  ["Field '{{field}}' must be true or false.", 'Feld „{{field}}“ muss wahr oder falsch sein.'],
  ["Field '{{field}}' must be a valid integer.", 'Feld „{{field}}“ muss eine gültige ganze Zahl sein.'],
  ["Field '{{field}}' must be a valid number.", 'Feld „{{field}}“ muss eine gültige Zahl sein.'],
  ["Field '{{field}}' must be a text.", 'Feld „{{field}}“ muss ein Text sein.'],
  ["Field '{{field}}' must not contain NUL characters.", 'Feld „{{field}}“ darf keine NUL-Zeichen enthalten.'],
  ["Field '{{field}}' must be valid base64.", 'Feld „{{field}}“ muss gültiges Base64 sein.'],
  [
    "Field '{{field}}': the expression '{{text}}' is not allowed.",
    'Feld „{{field}}“: Der Ausdruck „{{text}}“ ist nicht erlaubt.',
  ],
  [
    "Field '{{field}}' can not hold '{{text}}', which is a date and time.",
    'Feld „{{field}}“ kann „{{text}}“, ein Datum mit Uhrzeit, nicht aufnehmen.',
  ],
  ['Table "{{table}}" does not exist in the database.', 'Die Tabelle „{{table}}“ gibt es in der Datenbank nicht.'],
  [
    'Rollback and continue operations can not be requested at the same time.',
    'Rollback und Continue lassen sich nicht zugleich verlangen.',
  ],
  [
    'Identifying field(s) could not be determined.',
    'Welche Felder den Datensatz benennen, ließ sich nicht feststellen.',
  ],
  ['Required id field(s) not found in record {{index}}', 'In Datensatz {{index}} fehlen die Felder, die ihn benennen.'],
  [
    'Required id field(s) not valid in request {{index}}: {{text}}',
    'In Datensatz {{index}} sind die Felder, die ihn benennen, ungültig: {{text}}',
  ],
  ['No valid fields were found in record.', 'Der Datensatz hat keine gültigen Felder.'],
  ['The request contains no valid record fields.', 'Die Anfrage enthält keine gültigen Felder eines Datensatzes.'],
  ["Required field '{{field}}' can not be NULL.", 'Das Feld „{{field}}“ wird gebraucht und darf nicht NULL sein.'],
  [
    "'loaded' has to hold, for each record in its place, the record as it was loaded, or null.",
    '„loaded“ muss zu jedem Datensatz an seiner Stelle den Datensatz enthalten, wie er geladen wurde, oder null.',
  ],
  [
    "Records found by a filter, or all of a table, can not be compared with 'loaded'.",
    'Datensätze, die ein Filter findet, oder alle einer Tabelle lassen sich nicht mit „loaded“ vergleichen.',
  ],
  ['Filter for delete request can not be empty.', 'Der Filter zum Löschen darf nicht leer sein.'],
  ["No requested fields found in table '{{table}}'.", 'Die Tabelle „{{table}}“ hat keines der verlangten Felder.'],
  [
    "No requested relationships found in table '{{table}}'.",
    'Die Tabelle „{{table}}“ hat keine der verlangten Relationen.',
  ],
  ['Invalid schema path in {{act}} request.', 'Ungültiger Pfad des Schemas in der Anfrage ({{act}}).'],
  [
    "The relation '{{relation}}' names the field '{{column}}', which table '{{table}}' does not have.",
    'Die Relation „{{relation}}“ nennt das Feld „{{column}}“, das die Tabelle „{{table}}“ nicht hat.',
  ],
  [
    "The relation '{{relation}}' joins lists of fields that differ in length.",
    'Die Relation „{{relation}}“ verbindet ungleich lange Listen von Feldern.',
  ],
  [
    'The service with the id {{id}} has no records to relate to.',
    'Der Dienst mit der id {{id}} hat keine Datensätze für Relationen.',
  ],
  [
    'Failed to update belongs-to assignment.\n{{text}}',
    'Die Zuordnung zum übergeordneten Datensatz konnte nicht geändert werden.\n{{text}}',
  ],
  [
    'Failed to update many to one assignment.\n{{text}}',
    'Die Zuordnung der untergeordneten Datensätze konnte nicht geändert werden.\n{{text}}',
  ],
  [
    'Failed to update many to one map assignment.\n{{text}}',
    'Die Zuordnung über die Zwischentabelle konnte nicht geändert werden.\n{{text}}',
  ],
  [
    "Related record has no primary key value for '{{field}}'.",
    'Der verwandte Datensatz hat keinen Wert des Primärschlüssels für „{{field}}“.',
  ],
  [
    'The {{table}} referencing field id can not be empty.',
    'Die id des Felds von {{table}}, auf das verwiesen wird, darf nicht leer sein.',
  ],
  ["What is sent as '{{relation}}' is no record.", 'Was als „{{relation}}“ gesendet wurde, ist kein Datensatz.'],
  [
    'The database does not tell the key it made, which the related records need.',
    'Die Datenbank nennt den Schlüssel nicht, den sie vergeben hat und den die verwandten Datensätze brauchen.',
  ],
  [
    'Related records can not be written with a filter.',
    'Verwandte Datensätze lassen sich nicht zusammen mit einem Filter schreiben.',
  ],
  [
    "The relation '{{relation}}' leads to another service, whose records can not be written together with this one's.",
    'Die Relation „{{relation}}“ führt zu einem anderen Dienst, dessen Datensätze sich nicht zusammen mit diesem schreiben lassen.',
  ],
  [
    'Related records are read {{limit}} levels deep at most.',
    'Verwandte Datensätze werden höchstens {{limit}} Ebenen tief gelesen.',
  ],
  ['One call reads {{limit}} relations at most.', 'Ein Aufruf liest höchstens {{limit}} Relationen.'],
  ["{{kind}} '{{name}}' does not exist in the database.", '{{kind}} „{{name}}“ gibt es in der Datenbank nicht.'],
  ['{{kind}} name can not be empty.', 'Der Name darf nicht leer sein ({{kind}}).'],
  [
    'The address of a routine is its name, or its name and values in parentheses.',
    'Die Adresse einer Routine ist ihr Name, oder ihr Name und Werte in Klammern.',
  ],
  [
    'Failed to call database stored {{kind}}.\n{{text}}',
    'Der Aufruf in der Datenbank ist gescheitert ({{kind}}).\n{{text}}',
  ],
  [
    'The params of a call must be a list of values, a list of objects with name and value, or an object.',
    'Die params eines Aufrufs sind eine Liste von Werten, eine Liste von Objekten mit name und value, oder ein Objekt.',
  ],
  [
    "{{kind}} '{{name}}' has no parameter '{{parameter}}'.",
    '{{kind}} „{{name}}“ hat keinen Parameter „{{parameter}}“.',
  ],
  [
    "{{kind}} '{{name}}' has {{maxParameters}} parameters, and more values were given.",
    '{{kind}} „{{name}}“ hat {{maxParameters}} Parameter, und es kamen mehr Werte.',
  ],
  ["Field '{{field}}' is read only.", 'Feld „{{field}}“ kann nur gelesen werden.'],
  [
    "Field '{{field}}' can only be set during record creation.",
    'Feld „{{field}}“ kann nur beim Anlegen gesetzt werden.',
  ],
  ["Field '{{field}}' value can not be null.", 'Der Wert von Feld „{{field}}“ darf nicht null sein.'],
  ["Field '{{field}}' value can not be empty.", 'Der Wert von Feld „{{field}}“ darf nicht leer sein.'],
  [
    "Field '{{field}}' value must be a valid email address.",
    'Der Wert von Feld „{{field}}“ muss eine gültige E-Mail-Adresse sein.',
  ],
  [
    "Field '{{field}}' value must be a valid URL.",
    'Der Wert von Feld „{{field}}“ muss eine gültige Adresse (URL) sein.',
  ],
  [
    "Field '{{field}}' value is not in the valid range.",
    'Der Wert von Feld „{{field}}“ liegt nicht im erlaubten Bereich.',
  ],
  [
    "Field '{{field}}' value is not an acceptable float value.",
    'Der Wert von Feld „{{field}}“ ist keine zulässige Kommazahl.',
  ],
  [
    "Field '{{field}}' value is not an acceptable boolean value.",
    'Der Wert von Feld „{{field}}“ ist kein zulässiger Wahrheitswert.',
  ],
  ["Field '{{field}}' value is invalid.", 'Der Wert von Feld „{{field}}“ ist ungültig.'],
  [
    "Field '{{field}}' value does not contain enough selections.",
    'Der Wert von Feld „{{field}}“ hat zu wenige Einträge.',
  ],
  ["Field '{{field}}' value contains too many selections.", 'Der Wert von Feld „{{field}}“ hat zu viele Einträge.'],
  [
    "Invalid validation configuration: Field '{{field}}' has no 'regexp'.",
    'Ungültige Prüfregel: Feld „{{field}}“ hat kein „regexp“.',
  ],
  [
    "Invalid validation configuration: Field '{{field}}' has no 'picklist' options in schema settings.",
    'Ungültige Prüfregel: Feld „{{field}}“ hat keine „picklist“ in den Einstellungen des Schemas.',
  ],
];
