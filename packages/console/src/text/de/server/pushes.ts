// Meldungen des Fehlerkatalogs, Englisch und Deutsch: push.
import type { MessageWords } from '../../server-words.ts';

export const pushes: MessageWords = [
  [
    'No message found. Please provide a message for your push notification.',
    'Der Mitteilung fehlt ihr Text (message).',
  ],
  ['No API Key found. Please provide a valid API Key.', 'Es fehlt ein gültiger API-Schlüssel.'],
  ['No Device Token found. Please provide a valid Device Token.', 'Es fehlt das Token eines Geräts.'],
  [
    'A device token is a text of at most 4096 characters, as the device has it.',
    'Das Token eines Geräts ist ein Text von höchstens 4096 Zeichen, so wie das Gerät es hat.',
  ],
  [
    'The Device Token is already registered for you application.',
    'Das Token des Geräts ist für die App schon angemeldet.',
  ],
  ['No existing record found for the old token provided.', 'Das alte Token ist nicht angemeldet.'],
  [
    'Failed to send push notification. No registered devices found for your application [{{app}}]',
    'Die Mitteilung ließ sich nicht senden: Für die App „{{app}}“ ist kein Gerät angemeldet.',
  ],
  ['At most {{limit}} device tokens are taken.', 'Es sind höchstens {{limit}} Token von Geräten möglich.'],
  ['The {{field}} must be {{kind}}.', '„{{field}}“ muss so sein: {{kind}}.'],
  ['A notification has {{limit}} bytes at most as JSON.', 'Eine Mitteilung hat als JSON höchstens {{limit}} Bytes.'],
  [
    'The certificate of the service cannot be used: {{problem}}.',
    'Das Zertifikat des Dienstes ist nicht verwendbar: {{problem}}.',
  ],
  [
    'The service account in api_key cannot be used: {{problem}}.',
    'Das Dienstkonto in api_key ist nicht verwendbar: {{problem}}.',
  ],
  [
    'Too many notifications are being sent. Try again in a moment.',
    'Es werden zu viele Mitteilungen zugleich gesendet. Gleich noch einmal versuchen.',
  ],
  ['The push service is not available: {{problem}}.', 'Der Push-Dienst ist nicht erreichbar: {{problem}}.'],
  ['The push service does not take it now: {{text}}', 'Der Push-Dienst nimmt gerade nichts an: {{text}}'],
  ['The push service did not answer in time.', 'Der Push-Dienst hat nicht rechtzeitig geantwortet.'],
  ['The push service refused the call: {{text}}', 'Der Push-Dienst hat den Aufruf abgelehnt: {{text}}'],
  [
    'The push service does not accept the login of the service: {{text}}',
    'Der Push-Dienst nimmt die Anmeldung des Dienstes nicht an: {{text}}',
  ],
  [
    "Publish request does not contain resource, either 'Topic' or 'Endpoint'.",
    'Es fehlt, wohin die Nachricht geht: Topic oder Endpoint.',
  ],
  [
    'No message found. Please provide a Message to publish.',
    'Es fehlt die Nachricht (Message), die gesendet werden soll.',
  ],
  ['The name or ARN is none of {{kind}}.', 'Der Name oder die ARN ist nicht die von {{kind}}.'],
  ["'{{name}}' is not there.", '„{{name}}“ gibt es nicht.'],
  ['The push service does not take the request: {{text}}', 'Der Push-Dienst nimmt die Anfrage nicht an: {{text}}'],
  [
    'The keys of the service do not allow the call: {{text}}',
    'Die Schlüssel des Dienstes erlauben den Aufruf nicht: {{text}}',
  ],
];
