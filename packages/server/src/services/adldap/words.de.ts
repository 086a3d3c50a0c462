import type { WordsByType } from '@sluice/contract';
import { directoryFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  adldap: {
    description: 'Anmeldung bei einem Active Directory; seine Personen, Gruppen und Computer lassen sich lesen.',
    fields: {
      ...directoryFields,
      map_group_to_role: {
        label: 'Gruppen geben Rollen',
        description: 'Wer in einer Gruppe ist, an die eine Rolle gebunden ist, bekommt diese statt der Standardrolle.',
      },
      map_group_hierarchy: {
        label: 'Übergeordnete Gruppen zählen',
        description: 'Auch Gruppen zählen, in denen die eigenen Gruppen sind.',
      },
      username: {
        label: 'Benutzername',
        description:
          'Das Konto, das nach Personen und Gruppen sucht. Ohne eines melden sich Personen mit ihrem eigenen an, und es lässt sich nichts lesen.',
      },
      password: { label: 'Passwort', description: 'Das Passwort dieses Kontos.' },
      max_page_size: {
        label: 'Größte Seite',
        description: 'Wie viele Einträge das Verzeichnis auf einmal antwortet.',
      },
    },
  },
};
