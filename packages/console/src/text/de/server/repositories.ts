// Meldungen des Fehlerkatalogs, Englisch und Deutsch: repository.
import type { MessageWords } from '../../server-words.ts';

export const repositories: MessageWords = [
  [
    'No account/organization name provided for GitHub client.',
    'Für den Zugriff auf die Repositorys fehlt der Name des Kontos oder der Organisation.',
  ],
  ['No base url provided for GitLab client.', 'Für GitLab fehlt die Basis-URL.'],
  ['No token provided for GitLab client.', 'Für GitLab fehlt das Token.'],
  [
    'The name of a repository has letters, digits, dots, underscores and dashes.',
    'Der Name eines Repositorys hat Buchstaben, Ziffern, Punkte, Unterstriche und Bindestriche.',
  ],
  [
    'A path in a repository has names between slashes, and none that leads up.',
    'Ein Pfad in einem Repository hat Namen zwischen Schrägstrichen, und keinen, der hinaufführt.',
  ],
  ['The branch or tag must be the name of one.', 'Der Branch oder Tag muss der Name eines solchen sein.'],
  [
    'Too many calls of the code host are under way. Try again in a moment.',
    'Zu viele Aufrufe des Code-Hosts laufen gerade. Versuchen Sie es gleich noch einmal.',
  ],
  ['The code host is not available: {{problem}}.', 'Der Code-Host ist nicht erreichbar: {{problem}}.'],
  [
    'The code host sent an answer that cannot be used: {{problem}}.',
    'Der Code-Host hat eine Antwort geschickt, die sich nicht verwenden lässt: {{problem}}.',
  ],
  [
    'The code host sent more than {{limit}} bytes, the most that is read.',
    'Der Code-Host hat mehr als {{limit}} Bytes geschickt, mehr wird nicht gelesen.',
  ],
  ['The code host answered with the status {{status}}.', 'Der Code-Host hat mit dem Status {{status}} geantwortet.'],
];
