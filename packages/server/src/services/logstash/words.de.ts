import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  logstash: {
    label: 'Logstash',
    description: 'Ereignisse und Meldungen, auf einem Logstash-Server protokolliert.',
    fields: {
      host: { label: 'Host', description: 'Name oder Adresse des Logstash-Servers.' },
      port: { label: 'Port', description: 'Wo sein Eingang lauscht.' },
      protocol: {
        label: 'Protokoll/Format',
        description: 'Der Eingang, den er hat: gelf, oder JSON über http, tcp (je eine Zeile) oder udp.',
      },
      context: {
        label: 'Kontext',
        description: 'Was mit jeder Meldung mitgeht. Passwörter, Schlüssel, Tokens und Cookies sind unkenntlich.',
        legend: 'Was mitgeht',
      },
      service_event_map: {
        label: 'Ereignis eines Dienstes',
        description:
          'Ereignisse, die protokolliert werden, wenn sie vorbei sind. {service}.* steht für alle Ereignisse eines Dienstes.',
        items: { event: 'Ereignis', level: 'Stufe', message: 'Meldung' },
      },
    },
  },
};
