import type { WordsByType } from '@sluice/contract';
import { directoryFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  ldap: {
    label: 'LDAP',
    description: 'Anmeldung bei einem LDAP-Verzeichnis.',
    fields: directoryFields,
  },
};
