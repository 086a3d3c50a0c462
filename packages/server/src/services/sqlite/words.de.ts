import type { WordsByType } from '@sluice/contract';
import { databaseFields } from '../engines/words.de.ts';

const unusedOption = 'SQLite hat keine; werden angenommen, damit anderswo erstellte Konfigurationen passen.';

export const words: WordsByType = {
  sqlite: {
    description: 'Eine SQLite-Datei als API.',
    fields: {
      database: {
        label: 'Datenbank',
        description:
          'Ein Dateiname, der bei den Daten dieser Instanz liegt und beim ersten Gebrauch angelegt wird, oder der absolute Pfad einer vorhandenen SQLite-Datei. Wird gebraucht.',
      },
      options: { label: 'Treiberoptionen', description: unusedOption },
      attributes: { label: 'Treiberattribute', description: unusedOption },
      statements: {
        label: 'Zusätzliche SQL-Anweisungen',
        description: 'PRAGMA-Anweisungen, die beim Öffnen jeder Verbindung laufen.',
      },
      ...databaseFields,
    },
  },
};
