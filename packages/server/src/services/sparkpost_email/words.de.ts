import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  sparkpost_email: {
    description: 'E-Mails über SparkPost.',
    fields: {
      key: { label: 'API-Schlüssel', description: 'Ein Schlüssel des Kontos, der Transmissions schreiben darf.' },
      parameters: {
        label: 'Parameter',
        description: 'Werte für Platzhalter, und für Felder einer E-Mail, die weder Aufruf noch Vorlage haben.',
        items: { name: 'Name', value: 'Wert', active: 'Aktiv' },
      },
    },
  },
};
