import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  aws_ses: {
    description: 'E-Mails über Amazon SES.',
    fields: {
      key: {
        label: 'Zugriffsschlüssel-ID',
        description: 'Von einem Konto, das E-Mails senden darf (ses:SendEmail).',
      },
      secret: { label: 'Geheimer Zugriffsschlüssel', description: 'Das Geheimnis dieses Schlüssels.' },
      region: { label: 'Region', description: 'Wo die Identitäten bestätigt sind, von denen E-Mails ausgehen.' },
      parameters: {
        label: 'Parameter',
        description: 'Werte für Platzhalter, und für Felder einer E-Mail, die weder Aufruf noch Vorlage haben.',
        items: { name: 'Name', value: 'Wert', active: 'Aktiv' },
      },
    },
  },
};
