import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  local_file: {
    description: 'Dateien in einem Ordner dieses Rechners.',
    fields: {
      public_path: {
        label: 'Öffentliche Pfade',
        description: 'Ordner und Dateien, die jeder ohne Anmeldung lesen kann.',
      },
      container: {
        label: 'Wurzelordner',
        description:
          'Ein Name oder ein relativer Pfad, der bei den Daten dieser Instanz liegt und beim ersten Gebrauch angelegt wird, oder ein absoluter Pfad außerhalb des Datenordners.',
      },
    },
  },
};
