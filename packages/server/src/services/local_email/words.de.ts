import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  local_email: {
    description: 'E-Mails über ein Programm dieses Rechners (sendmail).',
    fields: {
      command: {
        label: 'Lokaler Befehl',
        description:
          'Wem E-Mails übergeben werden: dem Programm, das SLUICE_SENDMAIL nennt, mit -bs (es spricht SMTP) oder mit -t (es bekommt nur die E-Mail).',
      },
      parameters: {
        label: 'Parameter',
        description: 'Werte für Platzhalter, und für Felder einer E-Mail, die weder Aufruf noch Vorlage haben.',
        items: { name: 'Name', value: 'Wert', active: 'Aktiv' },
      },
    },
  },
};
