import type { plan as en } from '../../en/schema/plan.ts';

export const plan: typeof en = {
  title: 'Was diese Änderung bewirkt',
  waiting: 'Es wird ermittelt, was diese Änderung bewirkt',
  old: 'Wird neu ermittelt',
  failed: 'Was dies bewirkt, lässt sich gerade nicht sagen',
  retry: 'Erneut versuchen',

  refused: 'Dies würde abgelehnt: {{message}}',
  misfit_one: 'Dies würde abgelehnt: {{records}} Datensatz passt nicht zu „{{field}}“',
  misfit_other: 'Dies würde abgelehnt: {{records}} Datensätze passen nicht zu „{{field}}“',
  duplicates_one: 'Dies würde abgelehnt: {{records}} Wert von „{{field}}“ kommt mehrfach vor',
  duplicates_other: 'Dies würde abgelehnt: {{records}} Werte von „{{field}}“ kommen mehrfach vor',
  misfitFields_one: 'Dies würde abgelehnt: An {{count}} Stelle passen Datensätze nicht',
  misfitFields_other: 'Dies würde abgelehnt: An {{count}} Stellen passen Datensätze nicht',
  loseValues_one: '{{records}} Wert von „{{field}}“ ginge verloren',
  loseValues_other: '{{records}} Werte von „{{field}}“ gingen verloren',
  loseFields_one: 'Die Werte von {{count}} Feld gingen verloren',
  loseFields_other: 'Die Werte von {{count}} Feldern gingen verloren',
  loseRecords_one: 'Der einzige Datensatz von „{{table}}“ ginge verloren',
  loseRecords_other: 'Alle {{records}} Datensätze von „{{table}}“ gingen verloren',
  loseTables_one: 'Alle Datensätze von {{count}} Tabelle gingen verloren, insgesamt {{records}}',
  loseTables_other: 'Alle Datensätze von {{count}} Tabellen gingen verloren, insgesamt {{records}}',
  staysCount_one: '{{count}} Stelle, die den Namen nennt, bleibt, wie sie ist: Sehen Sie sie an',
  staysCount_other: '{{count}} Stellen, die den Namen nennen, bleiben, wie sie sind: Sehen Sie sie an',
  steps: {
    transaction_one: 'Ändert die Datenbank in einem Schritt',
    transaction_other: 'Ändert die Datenbank in {{count}} Schritten; scheitert einer, wird alles rückgängig gemacht',
    counterSteps_one: 'Ändert die Datenbank in einem Schritt',
    counterSteps_other:
      'Ändert die Datenbank in {{count}} Schritten; scheitert einer, werden die vorigen einzeln zurückgenommen',
    none_one: 'Ändert die Datenbank in einem Schritt',
    none_other: 'Ändert die Datenbank in {{count}} Schritten; scheitert einer, bleiben die vorigen bestehen',
  },
  stepsOfTables_one: 'Ändert {{tables}} Tabellen in {{count}} Schritt',
  stepsOfTables_other: 'Ändert {{tables}} Tabellen in {{count}} Schritten',
  sayOnly: 'Ändert nur, was Sluice von der Tabelle sagt, nichts in der Datenbank',
  nothing: 'Es ändert sich nichts',

  misfits: 'Passt nicht',
  losses: 'Geht endgültig verloren',
  lostRecords_one: 'Der einzige Datensatz der Tabelle',
  lostRecords_other: 'Alle {{records}} Datensätze der Tabelle',
  lostValues_one: '{{records}} Wert von „{{field}}“',
  lostValues_other: '{{records}} Werte von „{{field}}“',
  stays: 'Bleibt, wie es ist, und muss angesehen werden',
  follows: 'Folgt von selbst',
  removed: 'Geht mit',
  undo: {
    transaction: 'Scheitert ein Schritt, wird alles rückgängig gemacht: Die Schritte sind eine Transaktion.',
    counterSteps: 'Scheitert ein Schritt, werden die vorigen einzeln zurückgenommen.',
    none: 'Die Datenbank kann diese Schritte nicht zurücknehmen: Scheitert einer, bleiben die vorigen bestehen.',
  },
  sql_one: 'SQL, {{count}} Anweisung',
  sql_other: 'SQL, {{count}} Anweisungen',
  sqlLabel: 'SQL der Änderung',
  sqlThing: 'das SQL',
  showAll: 'Alle {{count}} Stellen zeigen',
  kinds: {
    role: 'Rollen',
    recordFilter: 'Datensatzfilter von Rollen',
    extras: 'Was Dienste von Tabellen und Feldern sagen',
    virtualRelation: 'Virtuelle Beziehungen',
    foreignKey: 'Fremdschlüssel',
  },

  confirmDropView: 'Möchten Sie die Sicht {{table}} wirklich löschen?',
  viewDropped: 'Die Sicht ist gelöscht.',

  rename: 'Umbenennen',
  renameTable: 'Tabelle {{name}} umbenennen',
  renameField: 'Feld {{name}} umbenennen',
  newName: 'Neuer Name',
  nameProblems: {
    empty: 'Ein Name ist nötig.',
    same: 'So heißt es schon.',
    taken: 'Diesen Namen gibt es schon',
  },
  callers:
    'Programme, die die API aufrufen, müssen von da an den neuen Namen verwenden. Sollen sie ihren behalten, tragen Sie zusätzlich „{{name}}“ als Alias ein.',
  callersByAlias:
    'Programme, die die API aufrufen, verwenden den Alias „{{alias}}“, der bleibt: Sie merken nichts davon.',
  renamed: '{{from}} heißt jetzt {{to}}.',

  usedBy: 'Verwendet von',
  usedByWaiting: 'Es wird gesucht, was den Namen nennt',
  usedByFailed: 'Was den Namen nennt, lässt sich gerade nicht sagen.',
  usedByAbsent: 'Dieser Server sagt nicht, was den Namen nennt.',
  unused: 'Nichts anderes nennt den Namen: keine Rolle, kein Datensatzfilter, keine Beziehung.',
  dropRefused: 'Löschen würde abgelehnt: {{message}}',
  sentences: {
    more: 'Es gibt mehr Stellen, als aufgeführt sind.',
    rowOfAnyCase:
      'Zeile „{{component}}“ gilt für jede Tabelle dieses Namens, groß oder klein geschrieben. Sie wird nicht geändert.',
    row: 'Zeile „{{component}}“ gilt für die Tabelle. Nach dem Löschen gilt sie für nichts, bis es wieder eine Tabelle dieses Namens gibt.',
    rowByAlias:
      'Zeile „{{component}}“ gilt für die Tabelle unter ihrem Alias, den ein Umbenennen nicht ändert. Nach dem Löschen gilt sie für nichts, bis es wieder eine Tabelle dieses Namens gibt.',
    rowOfPattern:
      'Zeile „{{component}}“ gilt für alle, deren Name so beginnt. Sie wird nicht geändert, wie auch immer diese Tabelle heißt.',
    rowOfNewName: 'Zeile „{{component}}“ hat schon den neuen Namen: Sie gilt von nun an für diese Tabelle.',
    rowOfRelation:
      'Zeile „{{component}}“ gilt für eine Relation unter ihrem Namen, der nach einem Umbenennen ein anderer sein kann. Sie wird nicht geändert.',
    rowOfField: 'Zeile „{{component}}“ gilt für das Feld. Nach dem Löschen gilt sie für nichts.',
    filter:
      'Der Datensatzfilter der Zeile „{{component}}“ geht nach dem Feld. Nach dem Löschen werden Aufrufe, für die sie gilt, abgewiesen, bis die Bedingung herausgenommen ist.',
    filterByAlias:
      'Der Datensatzfilter der Zeile „{{component}}“ geht nach dem Feld unter seinem Alias, den ein Umbenennen nicht ändert. Nach dem Löschen werden Aufrufe, für die sie gilt, abgewiesen, bis die Bedingung herausgenommen ist.',
    filterOfTables:
      'Der Datensatzfilter der Zeile „{{component}}“ geht in jeder Tabelle, für die sie gilt, nach einem Feld dieses Namens. Er wird nicht geändert: Wo das Feld anders heißt oder fehlt, werden Aufrufe, für die sie gilt, abgewiesen, bis die Bedingung herausgenommen ist.',
    saysOfTable: 'Sagt über die Tabelle: {{said}}.',
    saysOfNamedField: 'Sagt über das Feld {{field}}: {{said}}.',
    saysOfRelation: 'Sagt über die Relation {{relation}}: {{said}}.',
    saysOfField: 'Sagt über das Feld: {{said}}.',
    namesRecords: 'Seine Werte benennen die Datensätze der Tabelle.',
    function:
      'Die db_function des Felds {{field}} der Tabelle {{table}} hat den Namen in ihrem SQL, das nicht geändert wird: Aufrufe, die das Feld verwenden, scheitern, sobald es den Namen nicht mehr gibt.',
    relationByField: 'Die virtuelle Relation {{relation}} der Tabelle {{table}} verbindet über das Feld.',
    relationOfTable: 'Die virtuelle Relation {{relation}} der Tabelle {{table}} verbindet die Tabelle.',
    foreignKey:
      'Der Fremdschlüssel von {{table}} ({{fields}}) führt hierher. Er folgt einem Umbenennen; ein Löschen geht nach den Regeln der Datenbank, von denen die meisten es abweisen.',
  },
  misfitTexts: {
    noValue_one: '„{{field}}“ braucht einen Wert, den {{records}} Datensatz nicht hätte',
    noValue_other: '„{{field}}“ braucht einen Wert, den {{records}} Datensätze nicht hätten',
    tooLong_one: '„{{field}}“ wäre zu klein für {{records}} Datensatz',
    tooLong_other: '„{{field}}“ wäre zu klein für {{records}} Datensätze',
    wrongType_one: '„{{field}}“ könnte den Wert von {{records}} Datensatz nicht halten',
    wrongType_other: '„{{field}}“ könnte den Wert von {{records}} Datensätzen nicht halten',
    duplicate_one: '„{{field}}“ hat {{records}} Wert mehr als einmal',
    duplicate_other: '„{{field}}“ hat {{records}} Werte mehr als einmal',
    noTarget_one: '„{{field}}“ verweist in {{records}} Datensatz auf nichts, was es gibt',
    noTarget_other: '„{{field}}“ verweist in {{records}} Datensätzen auf nichts, was es gibt',
  },
};
