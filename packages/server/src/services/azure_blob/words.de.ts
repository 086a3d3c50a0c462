import type { WordsByType } from '@sluice/contract';
import { objectFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  azure_blob: {
    description: 'Dateien in einem Container von Azure Blob Storage.',
    fields: {
      account_name: { label: 'Kontoname', description: 'Name des Speicherkontos.' },
      account_key: { label: 'Kontoschlüssel', description: 'Einer der Schlüssel des Kontos.' },
      protocol: {
        label: 'Protokoll',
        description: 'Wie das Konto erreicht wird, wenn kein Endpunkt es sagt.',
      },
      ...objectFields(
        'Name des Containers; er wird angelegt, wenn es ihn nicht gibt.',
        'Adresse des Kontos auf einem anderen Server oder in einer anderen Cloud, etwa http://127.0.0.1:10000/devstoreaccount1. Leer: die der öffentlichen Cloud.',
      ),
    },
  },
};
