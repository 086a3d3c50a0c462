import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  github: {
    description: 'Repositorys eines Kontos von GitHub und die Dateien darin.',
    fields: {
      vendor: { label: 'Konto/Organisation', description: 'Das Konto, dessen Repositorys gezeigt werden.' },
      username: { label: 'Benutzername', description: 'Wer sich anmeldet. Leer: das Token allein, oder niemand.' },
      password: {
        label: 'Passwort',
        description: 'Ein Passwort dieses Benutzers für Anwendungen, wo es kein Token gibt.',
      },
      token: {
        label: 'GitHub-Token',
        description: 'Ein persönliches Zugriffstoken, das die Inhalte der Repositorys lesen darf.',
      },
      base_url: { label: 'API-Adresse', description: 'Eines eigenen Servers. Leer: https://api.github.com.' },
    },
  },
};
