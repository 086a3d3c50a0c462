// Meldungen des Fehlerkatalogs, Englisch und Deutsch: limit.
import type { MessageWords } from '../../server-words.ts';

export const limits: MessageWords = [
  ['API limit(s) exceeded. ', 'Das Limit für Aufrufe ist erreicht. '],
  [
    'The store of counters is out of reach, and a limit concerns this call. Please try again in a moment.',
    'Der Speicher der Zähler ist nicht erreichbar, und für diesen Aufruf gilt ein Limit. Bitte versuchen Sie es gleich noch einmal.',
  ],
  [
    'user_id must be specified with this limit type. Limit: {{name}}',
    'Zu dieser Art von Limit gehört ein Benutzer (user_id). Limit: {{name}}',
  ],
  [
    'role_id must be specified with this limit type. Limit: {{name}}',
    'Zu dieser Art von Limit gehört eine Rolle (role_id). Limit: {{name}}',
  ],
  ['service_id must be specified with this limit type.', 'Zu dieser Art von Limit gehört ein Dienst (service_id).'],
  ['endpoint must be specified with this limit type.', 'Zu dieser Art von Limit gehört ein Endpunkt (endpoint).'],
  ['user_id does not exist for {{name}} limit.', 'Den Benutzer (user_id) des Limits {{name}} gibt es nicht.'],
  ['No user_id exists for {{name}} limit.', 'Den Benutzer (user_id) des Limits {{name}} gibt es nicht.'],
  ['No role_id exists for {{name}} limit.', 'Die Rolle (role_id) des Limits {{name}} gibt es nicht.'],
  ['No service exists for {{name}} limit.', 'Den Dienst des Limits {{name}} gibt es nicht.'],
  [
    'Limit rate must be an integer. Limit not saved.',
    'Die Rate des Limits muss eine ganze Zahl sein. Das Limit wurde nicht gespeichert.',
  ],
  ['Verb is invalid or not allowed.', 'Dieses Verb gibt es nicht, oder es ist nicht erlaubt.'],
  [
    'A limit already exists with those parameters. No records added.',
    'Ein Limit mit diesen Angaben gibt es schon. Es wurde nichts angelegt.',
  ],
];
