// Meldungen des Fehlerkatalogs, Englisch und Deutsch: script.
import type { MessageWords } from '../../server-words.ts';

export const scripts: MessageWords = [
  [
    "Script '{{name}}' did not return an array: ",
    'Das Skript „{{name}}“ hat kein Ereignis hinterlassen, das sich lesen lässt.',
  ],
  ['Executed command returned with error code: {{code}}', 'Das Skript hat sich mit dem Fehlercode {{code}} beendet.'],
  [
    "Script '{{name}}' was ended: it needed more than {{limit}} bytes of memory.",
    'Das Skript „{{name}}“ wurde beendet: Es brauchte mehr als {{limit}} Bytes Speicher.',
  ],
  [
    "Script '{{name}}' was ended: its result is longer than {{limit}} characters.",
    'Das Skript „{{name}}“ wurde beendet: Sein Ergebnis ist länger als {{limit}} Zeichen.',
  ],
];
