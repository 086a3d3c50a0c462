// Meldungen des Fehlerkatalogs, Englisch und Deutsch: remote.
import type { MessageWords } from '../../server-words.ts';

export const remote: MessageWords = [
  ['Remote Web Service base url can not be empty.', 'Dem HTTP-Dienst fehlt die Basis-URL.'],
  [
    'Invalid configuration: {{name}} is not a defined option.',
    'Die Konfiguration ist ungültig: {{name}} ist keine der Optionen.',
  ],
  [
    'The path has a part that is empty or leads up, or the address is too long.',
    'Der Pfad hat einen Teil, der leer ist oder hinaufführt, oder die Adresse ist zu lang.',
  ],
  [
    'The header {{name}} has a value that cannot be sent.',
    'Der Header {{name}} hat einen Wert, der sich nicht senden lässt.',
  ],
  ['The remote service is not available: {{problem}}.', 'Der entfernte Dienst ist nicht erreichbar: {{problem}}.'],
  [
    'The remote service did not answer in time: {{problem}}.',
    'Der entfernte Dienst hat nicht rechtzeitig geantwortet: {{problem}}.',
  ],
  [
    'The remote service sent more than {{limit}} bytes, the most that is converted or searched for links.',
    'Der entfernte Dienst hat mehr als {{limit}} Bytes geschickt; mehr wird nicht umgewandelt oder nach Links durchsucht.',
  ],
  [
    'The call passed more than {{limit}} instances: it leads to itself.',
    'Der Aufruf ging durch mehr als {{limit}} Instanzen: Er führt zu sich selbst.',
  ],
  [
    'Too many calls of the remote service are under way. Try again in a moment.',
    'Zu viele Aufrufe des entfernten Dienstes laufen gerade. Versuchen Sie es gleich noch einmal.',
  ],
  ['Web service parameters must be an array.', 'Die Parameter des Dienstes müssen eine Liste sein.'],
  ['Web service headers must be an array.', 'Die Header des Dienstes müssen eine Liste sein.'],
  ["Function '{{name}}' does not exist on this service.", 'Die Funktion „{{name}}“ gibt es an diesem Dienst nicht.'],
  ['The arguments cannot be sent: {{problem}}.', 'Die Argumente lassen sich nicht senden: {{problem}}.'],
  ['{{text}} [Fault code:{{code}}]', '{{text}} [Fault code:{{code}}]'],
  ['Unexpected SOAP Service Exception:\n{{problem}}.', 'Der SOAP-Dienst lässt sich nicht öffnen:\n{{problem}}.'],
  [
    'The SOAP server sent an answer that cannot be read: {{problem}}.',
    'Der SOAP-Server hat eine Antwort geschickt, die sich nicht lesen lässt: {{problem}}.',
  ],
  ['A header of the service makes no message.', 'Ein Header des Dienstes ergibt keine Nachricht.'],
  [
    'The wsdl must be an address that begins with http:// or https://, without a login, or the name of a file.',
    'Die WSDL muss eine Adresse sein, die mit http:// oder https:// beginnt, ohne Login, oder der Name einer Datei.',
  ],
  ['The wsdl is required, or the options location and uri.', 'Die WSDL ist nötig, oder die Optionen location und uri.'],
  ['The type of a header is generic or wsse.', 'Die Art eines Headers ist generic oder wsse.'],
  [
    'A generic header must have a name that can be the name of an element.',
    'Ein Header der Art generic braucht einen Namen, der der eines Elements sein kann.',
  ],
  [
    'The data of a WSSE header is an object with username and password.',
    'Die Daten eines WSSE-Headers sind ein Objekt mit username und password.',
  ],
  ['The data of a header must be JSON.', 'Die Daten eines Headers müssen JSON sein.'],
  ['A message is required.', 'Eine Meldung ist nötig.'],
  ['The level must be one of {{levels}}.', 'Die Stufe muss eine von diesen sein: {{levels}}.'],
  ['The protocol is gelf, http, tcp or udp.', 'Das Protokoll ist gelf, http, tcp oder udp.'],
  ['The level of an event is one of {{levels}}.', 'Die Stufe eines Ereignisses ist eine von diesen: {{levels}}.'],
];
