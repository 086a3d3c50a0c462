import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  bitbucket: {
    description: 'Repositorys eines Arbeitsbereichs von Bitbucket und die Dateien darin.',
    fields: {
      vendor: { label: 'Konto/Organisation', description: 'Das Konto, dessen Repositorys gezeigt werden.' },
      username: { label: 'Benutzername', description: 'Wer sich anmeldet. Leer: das Token allein, oder niemand.' },
      password: {
        label: 'Passwort',
        description: 'Ein Passwort dieses Benutzers für Anwendungen, wo es kein Token gibt.',
      },
      token: {
        label: 'Bitbucket-Token',
        description:
          'Ein Zugriffstoken des Arbeitsbereichs oder eines Repositorys; mit Benutzername ein API-Token dieses Benutzers.',
      },
      base_url: { label: 'API-Adresse', description: 'Eines eigenen Servers. Leer: https://api.bitbucket.org/2.0.' },
    },
  },
};
