import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  gcm: {
    label: 'GCM-Push-Mitteilungen',
    description: 'Mitteilungen über Google (FCM, früher GCM), für Geräte, die je App angemeldet sind.',
    fields: {
      api_key: {
        label: 'API-Schlüssel',
        description:
          'Das JSON eines Dienstkontos; oder ein einfacher Schlüssel, für Server, die das ältere Protokoll sprechen.',
      },
      environment: {
        label: 'Umgebung',
        description: 'Für Ihre Unterlagen: Google unterscheidet nicht.',
      },
      service_event_map: {
        label: 'Ereignisse',
        description:
          'Ereignisse, die den Geräten der App, von der sie kommen, eine Mitteilung senden. {service}.* steht für alle Ereignisse eines Dienstes.',
        items: { event: 'Ereignis', data: 'Mitteilung' },
      },
      endpoint: {
        label: 'Adresse',
        description: 'Adresse eines anderen Servers, der das Protokoll von FCM oder GCM spricht. Leer: Google.',
      },
    },
  },
};
