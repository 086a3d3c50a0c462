import type { WordsByType } from '@sluice/contract';
import { signInFields } from '../engines/words.de.ts';

const { default_role, app_role_map, icon_class } = signInFields;

export const words: WordsByType = {
  saml: {
    description: 'Anmeldung bei einem Anbieter von SAML 2.0.',
    fields: {
      default_role: default_role!,
      sp_nameIDFormat: {
        label: 'NameID-Format',
        description:
          'Woran man dort erkannt wird: Der Anbieter muss eine NameID dieses Formats schicken, die für einen Menschen dieselbe bleibt.',
      },
      sp_x509cert: {
        label: 'Eigenes Zertifikat',
        description: 'Das Zertifikat des privaten Schlüssels, für den Anbieter; es steht in den Metadaten.',
      },
      sp_privateKey: {
        label: 'Eigener privater Schlüssel',
        description:
          'Ein RSA-Schlüssel (PEM). Mit ihm werden Anfragen signiert und verschlüsselte Assertions entschlüsselt. Er braucht das Zertifikat darüber.',
      },
      relay_state: {
        label: 'Relay State',
        description:
          'Wohin man nach der Anmeldung geschickt wird; _token_ steht für das Sitzungstoken: https://api.example.com/?session_token=_token_ ist die Konsole. Leer: Die Antwort ist die Sitzung, als JSON.',
      },
      idp_entityId: {
        label: 'EntityId des Anbieters',
        description: 'Wie sich der Anbieter in seinen Metadaten nennt.',
      },
      idp_singleSignOnService_url: {
        label: 'Anmeldeadresse des Anbieters',
        description: 'Wohin Browser geschickt werden, durch eine Weiterleitung.',
      },
      idp_x509cert: {
        label: 'Zertifikat des Anbieters',
        description:
          'Das Zertifikat, mit dem Antworten signiert sind, eines RSA-Schlüssels. Zwei, während der Anbieter vom einen zum nächsten wechselt. Antworten ohne Signatur werden abgewiesen.',
      },
      icon_class: icon_class!,
      app_role_map: app_role_map!,
    },
  },
};
