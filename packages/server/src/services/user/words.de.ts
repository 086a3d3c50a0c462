import type { WordsByType } from '@sluice/contract';
import { accountMailFields } from '../../identity/words.de.ts';

export const words: WordsByType = {
  user: {
    label: 'Benutzerdienst',
    description: 'Lässt Personen sich anmelden und Passwort und Profil ändern.',
    fields: {
      ...accountMailFields,
      allow_open_registration: {
        label: 'Offene Registrierung erlauben',
        description: 'Ob sich Personen selbst registrieren dürfen.',
      },
      open_reg_role_id: {
        label: 'Standardrolle bei offener Registrierung',
        description: 'Die Rolle derer, die sich selbst registriert haben.',
      },
      app_role_map: {
        label: 'Rolle je App bei offener Registrierung',
        description: 'In einzelnen Apps eine andere Rolle für Personen, die sich selbst registriert haben.',
        items: { app_id: 'App', role_id: 'Rolle' },
      },
      open_reg_email_service_id: {
        label: 'E-Mail-Dienst für Registrierungen',
        description: 'Verschickt die E-Mail, die eine Registrierung bestätigt.',
      },
      open_reg_email_template_id: {
        label: 'E-Mail-Vorlage für Registrierungen',
        description: 'Der Text dieser E-Mail.',
      },
    },
  },
};
