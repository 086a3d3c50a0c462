import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  mailgun_email: {
    description: 'E-Mails über Mailgun.',
    fields: {
      domain: {
        label: 'Mailgun-Domain',
        description: 'Die Domain, von der E-Mails ausgehen, wie Mailgun sie kennt.',
      },
      key: { label: 'API-Schlüssel', description: 'Ein Schlüssel des Kontos oder einer der Domain.' },
      region_endpoint: { label: 'Region', description: 'Wo die Domain eingerichtet ist.' },
      parameters: {
        label: 'Parameter',
        description: 'Werte für Platzhalter, und für Felder einer E-Mail, die weder Aufruf noch Vorlage haben.',
        items: { name: 'Name', value: 'Wert', active: 'Aktiv' },
      },
    },
  },
};
