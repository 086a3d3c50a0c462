// Meldungen des Fehlerkatalogs, Englisch und Deutsch: message.
import type { MessageWords } from '../../server-words.ts';

export const brokers: MessageWords = [
  ['No topic found. Please provide a topic.', 'Es fehlt das Thema (topic).'],
  ['No message found. Please provide a message to publish.', 'Es fehlt die Nachricht, die gesendet werden soll.'],
  ['The topic cannot be used: {{problem}}.', 'Das Thema ist nicht verwendbar: {{problem}}.'],
  ['A message has {{limit}} bytes at most.', 'Eine Nachricht hat höchstens {{limit}} Bytes.'],
  [
    'No subscription found. Please provide a list of topics, each with the service that is called.',
    'Es fehlen Abonnements: eine Liste von Themen, jedes mit dem Dienst, der aufgerufen wird.',
  ],
  [
    "The service of the topic '{{topic}}' cannot be called: {{problem}}.",
    'Der Dienst des Themas „{{topic}}“ lässt sich nicht aufrufen: {{problem}}.',
  ],
  ['At most {{limit}} subscriptions are taken.', 'Es sind höchstens {{limit}} Abonnements möglich.'],
  ["There is no subscription to the topic '{{topic}}'.", 'Das Thema „{{topic}}“ ist nicht abonniert.'],
  [
    'A subscription is made by a person or with the API key of an app.',
    'Ein Abonnement legt eine Person an, oder wer den API-Schlüssel einer App hat.',
  ],
  [
    'Too many messages are being published. Try again in a moment.',
    'Es werden zu viele Nachrichten zugleich gesendet. Gleich noch einmal versuchen.',
  ],
  ['The broker is not available: {{problem}}.', 'Der Broker ist nicht erreichbar: {{problem}}.'],
  ['The broker did not answer in time.', 'Der Broker hat nicht rechtzeitig geantwortet.'],
  ['The broker refused the call: {{text}}', 'Der Broker hat den Aufruf abgelehnt: {{text}}'],
  [
    'The broker does not accept the login of the service: {{text}}',
    'Der Broker nimmt die Anmeldung des Dienstes nicht an: {{text}}',
  ],
  [
    "The certificates at '{{path}}' cannot be used: {{problem}}.",
    'Die Zertifikate unter „{{path}}“ sind nicht verwendbar: {{problem}}.',
  ],
];
