export const unsaved = {
  found: 'Sie haben ungespeicherte Änderungen von vorhin.',
  stale:
    'Sie haben ungespeicherte Änderungen von vorhin, aber seither hat jemand diesen Eintrag gespeichert. Wiederherstellen legt Ihre darüber.',
  restore: 'Wiederherstellen',
  discard: 'Verwerfen',
  kept: 'Ungespeicherte Änderungen sind aufgehoben:',
  dismiss: 'Bis zur nächsten Anmeldung ausblenden',
};
