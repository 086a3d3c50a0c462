import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  smtp_email: {
    description: 'E-Mails über einen Mailserver (SMTP).',
    fields: {
      host: { label: 'SMTP-Host', description: 'Name oder Adresse des Mailservers.' },
      port: { label: 'SMTP-Port', description: '587 mit tls, 465 mit ssl; 25 zwischen Servern.' },
      encryption: {
        label: 'Verschlüsselung',
        description:
          'tls: verschlüsselt nach der Begrüßung (STARTTLS), ssl: vom ersten Byte an. Beide prüfen das Zertifikat des Servers. Leer: verschlüsselt, wo der Server es anbietet, ohne Prüfung.',
      },
      username: { label: 'Benutzername', description: 'Leer: ohne Anmeldung.' },
      password: { label: 'Passwort', description: 'Passwort dieses Kontos.' },
      ca_certificate: {
        label: 'Zertifizierungsstelle',
        description:
          'Ein Zertifikat als PEM-Text, dem anstelle der üblichen Stellen vertraut wird: für einen Server mit eigenem Zertifikat.',
      },
      parameters: {
        label: 'Parameter',
        description: 'Werte für Platzhalter, und für Felder einer E-Mail, die weder Aufruf noch Vorlage haben.',
        items: { name: 'Name', value: 'Wert', active: 'Aktiv' },
      },
    },
  },
};
