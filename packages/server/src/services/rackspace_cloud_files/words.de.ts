import type { WordsByType } from '@sluice/contract';
import { swiftFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  rackspace_cloud_files: {
    description: 'Dateien in einem Container von Rackspace Cloud Files.',
    fields: {
      ...swiftFields,
      api_key: { label: 'API-Schlüssel', description: 'API-Schlüssel dieses Benutzers.' },
      url: { label: 'URL', description: 'Adresse des Identitätsdienstes mit seiner Version.' },
      region: { label: 'Region', description: 'Region des Containers.' },
    },
  },
};
