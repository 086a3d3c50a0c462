import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  sftp_file: {
    description: 'Dateien in einem Ordner eines SFTP-Servers.',
    fields: {
      host: { label: 'Host', description: 'Name oder Adresse des SFTP-Servers.' },
      port: { label: 'Port', description: 'Leer: 22, der übliche.' },
      username: { label: 'Benutzername', description: 'Das Konto des Servers, mit dem sich der Dienst anmeldet.' },
      password: {
        label: 'Passwort',
        description: 'Dessen Passwort; mit einem privaten Schlüssel dessen Passphrase.',
      },
      timeout: {
        label: 'Zeitlimit',
        description: 'Sekunden, die der Server für eine Antwort brauchen darf, höchstens 600.',
      },
      host_fingerprint: {
        label: 'Fingerabdruck des Hosts',
        description:
          'Fingerabdruck des Host-Schlüssels, wie ssh-keygen -l ihn zeigt: SHA256:…; oder hexadezimal MD5 oder SHA-1 wie früher. Ein Server mit einem anderen Schlüssel wird abgelehnt. Leer: jeder Schlüssel wird angenommen.',
      },
      private_key: {
        label: 'Privater Schlüssel',
        description:
          'Text eines privaten Schlüssels (PEM oder OpenSSH) für die Anmeldung anstelle des Passworts, oder der absolute Pfad einer Datei damit auf dem Rechner dieser Instanz.',
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
