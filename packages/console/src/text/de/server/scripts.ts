// Meldungen des Fehlerkatalogs, Englisch und Deutsch: script, definition.
import type { MessageWords } from '../../server-words.ts';

export const scripts: MessageWords = [
  ["Invalid API Doc Format '{{format}}'.", 'Das Format „{{format}}“ gibt es für Definitionen nicht.'],
  [
    "The definition of service '{{service}}' can not be read: {{problem}}",
    'Die Definition des Dienstes „{{service}}“ lässt sich nicht lesen: {{problem}}',
  ],
  ["Script engine type '{{type}}' not found.", 'Skripte der Art „{{type}}“ gibt es nicht.'],
  ['All scripting is disabled for this instance.', 'Skripte sind auf dieser Instanz abgeschaltet.'],
  [
    'Scripting with {{type}} is disabled for this instance.',
    'Skripte der Art {{type}} sind auf dieser Instanz abgeschaltet.',
  ],
  [
    'This instance cannot run {{type}} scripts. {{missing}}',
    'Diese Instanz kann keine Skripte der Art {{type}} ausführen. {{missing}}',
  ],
  [
    "Script '{{name}}' was ended: the scripts of its call took more than {{seconds}} seconds.",
    'Das Skript „{{name}}“ wurde beendet: Die Skripte des Aufrufs brauchten mehr als {{seconds}} Sekunden.',
  ],
  [
    'Too many scripts are running. Try again in a moment.',
    'Zu viele Skripte laufen gerade. Versuchen Sie es gleich noch einmal.',
  ],
  [
    "Script '{{name}}' was ended: its caller has gone.",
    'Das Skript „{{name}}“ wurde beendet: Der Aufrufer ist nicht mehr da.',
  ],
  [
    "Script '{{name}}' was ended: more than {{limit}} scripts called each other.",
    'Das Skript „{{name}}“ wurde beendet: Mehr als {{limit}} Skripte riefen einander auf.',
  ],
  [
    "Script '{{name}}' was ended: the scripts of its call made more than {{limit}} calls.",
    'Das Skript „{{name}}“ wurde beendet: Die Skripte des Aufrufs machten mehr als {{limit}} Aufrufe.',
  ],
  [
    "Script '{{name}}' was ended: it printed more than {{limit}} characters.",
    'Das Skript „{{name}}“ wurde beendet: Es gab mehr als {{limit}} Zeichen aus.',
  ],
  [
    "Script '{{name}}' was ended: it keeps values of more than {{limit}} characters.",
    'Das Skript „{{name}}“ wurde beendet: Es bewahrt Werte von mehr als {{limit}} Zeichen auf.',
  ],
  [
    'The API key that this was asked for with is not valid any more.',
    'Der API-Schlüssel, mit dem dies verlangt wurde, gilt nicht mehr.',
  ],
  ["Script '{{name}}' could not be loaded.", 'Das Skript „{{name}}“ konnte nicht geladen werden.'],
  [
    'What a script is linked to must be a file of a file service or of a repository.',
    'Womit ein Skript verknüpft ist, muss eine Datei eines Dateidienstes oder eines Repositorys sein.',
  ],
  ['A script must be a text in UTF-8.', 'Ein Skript muss ein Text in UTF-8 sein.'],
  [
    'The option {{name}} is not one that calls of scripts take.',
    'Die Option {{name}} gehört nicht zu denen, die Aufrufe von Skripten annehmen.',
  ],
  ['The payload of the call has more than {{limit}} bytes.', 'Der Inhalt des Aufrufs hat mehr als {{limit}} Byte.'],
  ['The call to the other server failed: {{problem}}.', 'Der Aufruf des anderen Servers ist gescheitert: {{problem}}.'],
  [
    'The answer of the other server has more than {{limit}} bytes.',
    'Die Antwort des anderen Servers hat mehr als {{limit}} Byte.',
  ],
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
  [
    'A dry run only reads: this call is shown and not made.',
    'Ein Probelauf liest nur: Dieser Aufruf wird gezeigt und nicht gemacht.',
  ],
  ['A script cannot start a dry run.', 'Ein Skript kann keinen Probelauf beginnen.'],
];
