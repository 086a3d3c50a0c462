import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  aws_sns: {
    description: 'Themen, Abonnements und Geräte von Amazon SNS, und Nachrichten an sie.',
    fields: {
      key: { label: 'Zugriffsschlüssel-ID', description: 'Von einem Konto, das SNS benutzen darf.' },
      secret: { label: 'Geheimer Zugriffsschlüssel', description: 'Das Geheimnis dieses Schlüssels.' },
      region: { label: 'Region', description: 'Wo die Themen sind.' },
      endpoint: {
        label: 'Adresse',
        description: 'Adresse eines anderen Servers, der das Protokoll von SNS spricht. Leer: Amazon.',
      },
    },
  },
};
