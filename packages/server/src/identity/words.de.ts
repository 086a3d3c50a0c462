// Deutsche Wörter der Felder von account-mail.ts.
import type { FieldWords } from '@sluice/contract';

export const accountMailFields: Readonly<Record<string, FieldWords>> = {
  invite_email_service_id: { label: 'E-Mail-Dienst für Einladungen', description: 'Verschickt Einladungen.' },
  invite_email_template_id: { label: 'E-Mail-Vorlage für Einladungen', description: 'Der Text einer Einladung.' },
  password_email_service_id: {
    label: 'E-Mail-Dienst für Passwörter',
    description: 'Verschickt den Link zum Setzen eines neuen Passworts.',
  },
  password_email_template_id: { label: 'E-Mail-Vorlage für Passwörter', description: 'Der Text dieser E-Mail.' },
};
