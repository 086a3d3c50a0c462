import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  mandrill_email: {
    description: 'E-Mails über Mandrill.',
    fields: {
      key: { label: 'API-Schlüssel', description: 'Ein Schlüssel des Kontos.' },
      parameters: {
        label: 'Parameter',
        description: 'Werte für Platzhalter, und für Felder einer E-Mail, die weder Aufruf noch Vorlage haben.',
        items: { name: 'Name', value: 'Wert', active: 'Aktiv' },
      },
    },
  },
};
