import type { WordsByType } from '@sluice/contract';
import { cacheFields } from '../../caches/words.de.ts';

export const words: WordsByType = {
  cache_redis: {
    description: 'Cache auf einem Redis-Server.',
    fields: {
      host: { label: 'Host', description: 'Name oder Adresse des Redis-Servers.' },
      port: { label: 'Port', description: 'Leer: 6379, der übliche.' },
      password: { label: 'Passwort', description: 'Leer: der Server will keines.' },
      database_index: { label: 'Nummer der Datenbank', description: 'Die Nummer der Datenbank.' },
      options: {
        label: 'Optionen',
        description:
          'scheme: tls verschlüsselt die Verbindung. username: ein Konto des Servers. prefix: womit die Schlüssel beginnen, wo andere Programme sie teilen. timeout: Sekunden für den Verbindungsaufbau. Andere zählen nicht.',
      },
      ...cacheFields,
    },
  },
};
