// Deutsche Wörter des Diensttyps `system`.
import type { WordsByType } from '@sluice/contract';
import { accountMailFields } from '../identity/words.de.ts';

export const words: WordsByType = {
  system: {
    label: 'Systemverwaltung',
    description: 'Verwaltet, was das System selbst ausmacht.',
    fields: {
      default_app_id: {
        label: 'Standard-App',
        description: 'Die App, die sich nach der Anmeldung öffnet, wenn niemand eine gewählt hat.',
      },
      ...accountMailFields,
    },
  },
};
