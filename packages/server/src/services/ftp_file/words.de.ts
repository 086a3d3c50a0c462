import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  ftp_file: {
    description: 'Dateien in einem Ordner eines FTP-Servers.',
    fields: {
      host: { label: 'Host', description: 'Name oder Adresse des FTP-Servers.' },
      port: { label: 'Port', description: 'Leer: 21, der übliche.' },
      username: {
        label: 'Benutzername',
        description: 'Das Konto des Servers, mit dem sich der Dienst anmeldet. Leer: anonymous.',
      },
      password: { label: 'Passwort', description: 'Dessen Passwort.' },
      ssl: {
        label: 'SSL',
        description:
          'Die Verbindung und ihre Übertragungen sind verschlüsselt (explizites TLS); das Zertifikat des Servers muss für seinen Namen gelten. Ohne sie kann jeder unterwegs das Passwort lesen.',
      },
      timeout: {
        label: 'Zeitlimit',
        description: 'Sekunden, die der Server für eine Antwort brauchen darf, höchstens 600.',
      },
      passive: {
        label: 'Passiv',
        description:
          'Übertragungen gehen über Verbindungen zum Server. Es muss eingeschaltet sein: den anderen Weg gibt es nicht.',
      },
      public_path: {
        label: 'Öffentliche Pfade',
        description: 'Ordner und Dateien, die jeder ohne Anmeldung lesen kann.',
      },
      container: {
        label: 'Wurzelordner',
        description:
          'Ordner des Servers, absolut oder von dort, wo das Konto beginnt; er wird angelegt, wenn er fehlt.',
      },
    },
  },
};
