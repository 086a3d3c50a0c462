import type { WordsByType } from '@sluice/contract';
import { cacheFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  rws: {
    label: 'HTTP-Dienst',
    description: 'Eine API anderswo, über diese Instanz aufgerufen, mit eigenen Parametern und Headern.',
    fields: {
      base_url: {
        label: 'Basis-URL (nötig, wenn die Definition keine hat)',
        description:
          'Wo die API liegt: https://api.example.com/v1. Was in einem Aufruf hinter dem Namen des Dienstes steht, folgt darauf.',
      },
      replace_link: {
        label: 'Links ersetzen',
        description: 'Adressen von HTTP-Diensten werden in Antworten zu denen dieser Instanz.',
      },
      implements_access_list: {
        label: 'Der entfernte Dienst hat eine Zugriffsliste',
        description: 'Er antwortet selbst, was Rollen von ihm nennen können, statt der Definition.',
      },
      preserve_forward_trailing_slash: {
        label: 'Schrägstrich am Ende behalten',
        description: 'Ein Schrägstrich am Ende einer Adresse wird weitergegeben.',
      },
      options: {
        label: 'CURL-Optionen',
        description: 'CURLOPT_TIMEOUT, CURLOPT_FOLLOWLOCATION, CURLOPT_USERPWD und andere, mit je einem Wert.',
      },
      parameters: {
        label: 'Parameter',
        description:
          'Was zur Query von Aufrufen mit den gewählten Verben hinzukommt. Ausschließen: was sie unter diesem Namen senden, fehlt stattdessen. Ausgehend: im Aufruf des entfernten Dienstes. Cache-Schlüssel: in dem, was aufgehobene Antworten unterscheidet. Für Lookup-Keys in Klammern stehen ihre Werte, auch die privater.',
        items: {
          name: 'Name',
          value: 'Wert',
          exclude: 'Ausschließen',
          outbound: 'Ausgehend',
          cache_key: 'Cache-Schlüssel',
          action: 'Verben',
        },
      },
      headers: {
        label: 'Header',
        description:
          'Nur diese bekommt der entfernte Dienst, bei Aufrufen mit den gewählten Verben. Vom Aufrufer: der Wert ist der, den der Aufrufer sendet. Für Lookup-Keys in Klammern stehen ihre Werte, auch die privater.',
        items: { name: 'Name', value: 'Wert', pass_from_client: 'Vom Aufrufer', action: 'Verben' },
      },
      ...cacheFields,
    },
  },
};
