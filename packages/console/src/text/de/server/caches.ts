// Meldungen des Fehlerkatalogs, Englisch und Deutsch: cache.
import type { MessageWords } from '../../server-words.ts';

export const caches: MessageWords = [
  ["No value found for key '{{key}}'.", 'Für den Schlüssel „{{key}}“ gibt es keinen Wert.'],
  [
    'No key/resource provide. Please provide a cache key to retrieve.',
    'Es fehlt der Schlüssel des Wertes, der gelesen werden soll.',
  ],
  [
    'No key/resource provide. Please provide a cache key to delete.',
    'Es fehlt der Schlüssel des Wertes, der gelöscht werden soll.',
  ],
  [
    "Key '{{key}}' already exists in cache. Use PUT to update existing key.",
    'Den Schlüssel „{{key}}“ gibt es schon. PUT ändert seinen Wert.',
  ],
  [
    'Nothing was stored in cache. One or more key(s) already exists ({{keys}})',
    'Nichts wurde gespeichert: diese Schlüssel gibt es schon ({{keys}})',
  ],
  ['No value/payload provided to store in cache.', 'Es fehlt der Wert, der gespeichert werden soll.'],
  [
    'Invalid payload provided. Please provide a key/value pair.',
    'Gesendet werden muss ein Objekt mit Schlüsseln und Werten.',
  ],
  [
    'A cache key has 1 to {{limit}} bytes and no control characters.',
    'Ein Schlüssel hat 1 bis {{limit}} Bytes und keine Steuerzeichen.',
  ],
  ['At most {{limit}} values are stored at once.', 'Auf einmal werden höchstens {{limit}} Werte gespeichert.'],
  [
    "The value of the key '{{key}}' has more than {{limit}} bytes as JSON, the most a cache takes.",
    'Der Wert des Schlüssels „{{key}}“ hat als JSON mehr als {{limit}} Bytes; mehr nimmt ein Cache nicht.',
  ],
  [
    'The ttl must be a whole number of minutes between 1 and {{limit}}.',
    'Die Lebensdauer muss eine ganze Zahl von Minuten zwischen 1 und {{limit}} sein.',
  ],
  [
    'Too many calls of the cache are under way. Try again in a moment.',
    'Zu viele Aufrufe des Caches sind unterwegs. Gleich noch einmal versuchen.',
  ],
  ['The cache is not available: {{problem}}.', 'Der Cache ist nicht erreichbar: {{problem}}.'],
  ['The cache refused the call: {{text}}', 'Der Cache hat den Aufruf abgelehnt: {{text}}'],
];
