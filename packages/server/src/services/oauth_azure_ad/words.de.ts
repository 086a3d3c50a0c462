import type { WordsByType } from '@sluice/contract';
import { signInFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  oauth_azure_ad: {
    description: 'Anmeldung mit Konten von Microsoft Entra ID, vormals Azure Active Directory.',
    fields: {
      ...signInFields,
      tenant_id: { label: 'Mandanten-ID', description: 'Die ID oder die Domäne des Verzeichnisses; common für alle.' },
      resource: {
        label: 'Ressource',
        description: 'Ohne Wirkung; wird für anderswo erstellte Konfigurationen behalten.',
      },
    },
  },
};
