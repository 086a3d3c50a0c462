import type { WordsByType } from '@sluice/contract';
import { swiftFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  openstack_object_storage: {
    description: 'Dateien in einem Container des Objektspeichers von OpenStack (Swift).',
    fields: {
      ...swiftFields,
      password: { label: 'Passwort', description: 'Passwort dieses Benutzers.' },
      url: {
        label: 'URL',
        description:
          'Adresse des Identitätsdienstes (Keystone) mit seiner Version, etwa https://keystone.example.com:5000/v3; auch /v2.0 geht.',
      },
      region: {
        label: 'Region',
        description: 'Region des Objektspeichers, wie der Katalog des Identitätsdienstes sie nennt. Leer: die erste.',
      },
      domain: {
        label: 'Domäne',
        description: 'Name der Domäne des Benutzers und des Projekts, für /v3. Leer: Default.',
      },
    },
  },
};
