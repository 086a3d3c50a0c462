export const unsaved = {
  found: 'Sie haben ungespeicherte Änderungen von vorhin.',
  stale:
    'Sie haben ungespeicherte Änderungen von vorhin, aber seither hat jemand diesen Eintrag gespeichert. Wiederherstellen legt Ihre darüber.',
  restore: 'Wiederherstellen',
  discard: 'Verwerfen',
  kept: 'Ungespeicherte Änderungen',
  keptHint_one: 'Ungespeicherte Änderungen eines Formulars liegen in den Meldungen.',
  keptHint_other: 'Ungespeicherte Änderungen von {{count}} Formularen liegen in den Meldungen.',
  discardOne: 'Änderungen verwerfen: {{form}}',
};
