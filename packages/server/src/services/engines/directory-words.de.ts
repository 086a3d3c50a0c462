// Deutsche Wörter der Felder jedes Verzeichnisses (directory.ts).
import type { FieldWords } from '@sluice/contract';
import { signInFields } from './words.de.ts';

const { default_role, app_role_map } = signInFields;

export const directoryFields: Readonly<Record<string, FieldWords>> = {
  ...(default_role && app_role_map ? { default_role, app_role_map } : {}),
  host: {
    label: 'Host',
    description:
      'Name oder Adresse des Verzeichnisses. ldaps:// davor verschlüsselt die Verbindung, ldap+starttls:// verschlüsselt eine, die im Klartext beginnt; ohne beides werden Passwörter im Klartext gesendet. Ein Port kann folgen: ad.example.com:3268.',
  },
  base_dn: {
    label: 'Basis-DN',
    description: 'Der Eintrag, unter dem die Personen stehen: dc=example,dc=com.',
  },
  account_suffix: {
    label: 'Endung der Konten',
    description:
      'Was hinter den Namen der Konten steht, @example.com. Leer: die Domain der Basis-DN. Auch Adressen von Personen ohne eigene enden so.',
  },
};
