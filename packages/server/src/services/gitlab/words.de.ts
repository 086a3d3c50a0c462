import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  gitlab: {
    description: 'Repositorys eines Namensraums von GitLab und die Dateien darin.',
    fields: {
      base_url: { label: 'Basis-URL', description: 'Adresse des Servers, wie https://gitlab.com.' },
      namespace: {
        label: 'Namensraum/Gruppe',
        description: 'Die Gruppe oder der Benutzer, deren Repositorys gezeigt werden. Leer: wem das Token gehört.',
      },
      token: {
        label: 'GitLab-Token',
        description: 'Ein Zugriffstoken, das die API und die Repositorys lesen darf.',
      },
    },
  },
};
