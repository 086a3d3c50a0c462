import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  apns: {
    label: 'Apple-Push-Mitteilungen',
    description: 'Mitteilungen für Apple-Geräte, angemeldet je App.',
    fields: {
      certificate: {
        label: 'Zertifikatsdatei (.pem)',
        description: 'Das Zertifikat der App für Push-Mitteilungen, mit seinem privaten Schlüssel.',
      },
      passphrase: {
        label: 'Passphrase',
        description: 'Die des privaten Schlüssels; leer, wenn er keine hat.',
      },
      environment: {
        label: 'Umgebung',
        description: 'Welche Geräte gemeint sind: die von Apps in Entwicklung, oder von veröffentlichten.',
      },
      service_event_map: {
        label: 'Ereignisse',
        description:
          'Ereignisse, die den Geräten der App, von der sie kommen, eine Mitteilung senden. {service}.* steht für alle Ereignisse eines Dienstes.',
        items: { event: 'Ereignis', data: 'Mitteilung' },
      },
      endpoint: {
        label: 'Adresse',
        description: 'Adresse eines anderen Servers, der das Protokoll von APNs spricht. Leer: Apple.',
      },
    },
  },
};
