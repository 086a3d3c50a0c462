// Meldungen des Fehlerkatalogs, Englisch und Deutsch: http, call, access, session, store, account.
import type { MessageWords } from '../../server-words.ts';

export const calls: MessageWords = [
  [
    'Malformed {{format}} in the request body at {{where}}: {{problem}}',
    'Fehlerhaftes {{format}} im Rumpf der Anfrage bei {{where}}: {{problem}}',
  ],
  ['The request {{where}} is not valid UTF-8.', 'Die Anfrage ist kein gültiges UTF-8: {{where}}.'],
  [
    'The {{format}} in the request body is nested more than {{limit}} levels deep.',
    'Das {{format}} im Rumpf der Anfrage ist tiefer als {{limit}} Ebenen verschachtelt.',
  ],
  [
    "Field '{{field}}' holds the integer {{value}}, which a JSON number can not carry exactly.",
    'Feld „{{field}}“ hat die ganze Zahl {{value}}, die eine JSON-Zahl nicht genau wiedergeben kann.',
  ],
  ['Unrecognized payload type', 'Die Art der gesendeten Daten ist nicht bekannt.'],
  ['The {{name}} must be {{expected}}, not {{found}}.', '{{name}} muss {{expected}} sein, nicht {{found}}.'],
  ['The request body has more than {{limit}} names.', 'Der Rumpf der Anfrage hat mehr als {{limit}} Namen.'],
  ['The request body holds more than {{limit}} values.', 'Der Rumpf der Anfrage hat mehr als {{limit}} Werte.'],
  [
    'The request body has more than {{limit}} different names.',
    'Der Rumpf der Anfrage hat mehr als {{limit}} verschiedene Namen.',
  ],
  [
    'The request body holds more than {{limit}} numbers of more digits than a double carries.',
    'Der Rumpf der Anfrage hat mehr als {{limit}} Zahlen mit mehr Stellen, als ein Double fasst.',
  ],
  [
    'Reading the request body takes more time or memory than it may.',
    'Den Rumpf der Anfrage zu lesen braucht mehr Zeit oder Speicher als erlaubt.',
  ],
  [
    'The request body came in more than {{max}} chunks of less than {{bytes}} bytes.',
    'Der Rumpf der Anfrage kam in mehr als {{max}} Stücken von weniger als {{bytes}} Bytes.',
  ],
  [
    'The request body came too slowly while others waited for their turn.',
    'Der Rumpf der Anfrage kam zu langsam, während andere warteten.',
  ],
  [
    'Too many large request bodies are being read. Please try again in a moment.',
    'Zu viele große Anfragen werden gerade gelesen. Bitte versuchen Sie es gleich noch einmal.',
  ],
  [
    'Too many large request bodies of yours are being read. Please wait until they are done.',
    'Zu viele Ihrer großen Anfragen werden gerade gelesen. Bitte warten Sie, bis sie fertig sind.',
  ],
  [
    'The request body is larger than the limit of {{limit}} bytes.',
    'Der Rumpf der Anfrage ist größer als die Grenze von {{limit}} Bytes.',
  ],
  [
    'As many bytes of answers are in memory as may be. Try again in a moment.',
    'Es sind so viele Bytes von Antworten im Speicher, wie erlaubt sind. Bitte gleich noch einmal versuchen.',
  ],
  [
    'Answers to you that you have not read yet have more than {{limit}} bytes together, the most one caller may have.',
    'Antworten an Sie, die Sie noch nicht gelesen haben, haben zusammen mehr als {{limit}} Bytes; mehr darf ein Aufrufer nicht haben.',
  ],
  ['The request body ended before it was complete.', 'Der Rumpf der Anfrage endete, bevor er vollständig war.'],
  [
    'The request line and headers are larger than 32768 bytes.',
    'Zeile und Kopf der Anfrage sind größer als 32768 Bytes.',
  ],
  ['The request is not valid HTTP.', 'Die Anfrage ist kein gültiges HTTP.'],
  ['The address of the request is not valid: {{problem}}', 'Die Adresse der Anfrage ist ungültig: {{problem}}'],
  ['The range that was asked for lies beyond the end.', 'Der verlangte Bereich liegt hinter dem Ende.'],
  ['The request did not arrive in time.', 'Die Anfrage kam nicht rechtzeitig an.'],
  [
    'Content in response can not be resolved to acceptable content type. Original content: {{content}}',
    'Der Inhalt lässt sich nicht in einer verlangten Art ausgeben. Ursprünglicher Inhalt: {{content}}',
  ],
  [
    "{{verb}} requests for resource '{{path}}' are not currently supported by the '{{service}}' service.",
    'Anfragen mit {{verb}} an „{{path}}“ werden vom Dienst „{{service}}“ derzeit nicht unterstützt.',
  ],
  ['The action "{{verb}}" is not supported.', 'Die Aktion „{{verb}}“ wird nicht unterstützt.'],
  ['There is nothing at {{path}}.', 'Unter {{path}} gibt es nichts.'],
  ['The server met an unexpected error.', 'Beim Server ist ein unerwarteter Fehler aufgetreten.'],
  [
    'The answer is larger than the limit of {{limit}} bytes.',
    'Die Antwort ist größer als die Grenze von {{limit}} Bytes.',
  ],
  ['More than {{limit}} calls were made inside each other.', 'Mehr als {{limit}} Aufrufe ineinander.'],
  [
    'No session token (JWT) or API Key detected in request. Please send in X-DreamFactory-Session-Token and/or X-DreamFactory-API-Key request header. You can also use URL query parameters session_token and/or api_key.',
    'Die Anfrage hat weder ein Sitzungstoken (JWT) noch einen API-Schlüssel. Bitte senden Sie X-DreamFactory-Session-Token und/oder X-DreamFactory-API-Key im Kopf der Anfrage, oder session_token und/oder api_key in der Adresse.',
  ],
  [
    "No API Key provided. Please provide a valid API Key using X-DreamFactory-API-Key request header or 'api_key' url query parameter.",
    'Es fehlt ein API-Schlüssel. Bitte senden Sie einen gültigen als X-DreamFactory-API-Key im Kopf der Anfrage oder als „api_key“ in der Adresse.',
  ],
  [
    "No session token (JWT) provided. Please provide a valid JWT using X-DreamFactory-Session-Token request header or 'session_token' url query parameter.",
    'Es fehlt ein Sitzungstoken (JWT). Bitte senden Sie ein gültiges als X-DreamFactory-Session-Token im Kopf der Anfrage oder als „session_token“ in der Adresse.',
  ],
  [
    'Role not found. A role may not be assigned to you or your application.',
    'Keine Rolle gefunden. Vielleicht ist weder Ihnen noch der App eine zugewiesen.',
  ],
  [
    'Access Forbidden. The role assigned to you or your application or the default role of your application is not active.',
    'Zugriff verweigert. Ihre Rolle, die der App oder deren Standardrolle ist nicht aktiv.',
  ],
  ['Unauthorized. User is not authenticated.', 'Nicht berechtigt. Es ist niemand angemeldet.'],
  [
    "Access Forbidden. {{verb}} access to component '{{component}}' of service '{{service}}' is not allowed by this user's role.",
    'Zugriff verweigert. {{verb}} auf Komponente „{{component}}“ des Dienstes „{{service}}“ ist mit der Rolle dieses Benutzers nicht erlaubt.',
  ],
  [
    "{{verb}} access to component '{{component}}' of service '{{service}}' is not allowed by this user's role.",
    '{{verb}} auf Komponente „{{component}}“ des Dienstes „{{service}}“ ist mit der Rolle dieses Benutzers nicht erlaubt.',
  ],
  [
    "Field '{{field}}' cannot stand in {{parameter}}: this user's role may not read the records, which are named by their key only then.",
    'Feld „{{field}}“ darf nicht in {{parameter}} stehen: Die Rolle dieses Benutzers darf die Datensätze nicht lesen; sie werden dann nur durch ihren Schlüssel benannt.',
  ],
  ['Invalid server-side filter configuration detected.', 'Ein Filter auf dem Server ist ungültig eingestellt.'],
  ['Denied access to some of the requested fields.', 'Der Zugriff auf einige der verlangten Felder ist verweigert.'],
  [
    'The question can not be answered: {{field}} {{problem}}',
    'Die Frage lässt sich nicht beantworten: {{field}} {{problem}}',
  ],
  [
    'There is no {{what}} with the id {{id}}, which {{field}} names.',
    'Mit der id {{id}}, die {{field}} nennt, gibt es nichts ({{what}}).',
  ],
  [
    'Only an administrator may change or give a role of more than {{limit}} rows of access.',
    'Eine Rolle mit mehr als {{limit}} Zugriffszeilen darf nur ein Administrator ändern oder vergeben.',
  ],
  [
    'Only an administrator may give so many rows of access in one call: each is compared with all that its giver holds.',
    'So viele Zugriffszeilen in einem Aufruf darf nur ein Administrator vergeben: Jede wird mit allem verglichen, was man selbst hat.',
  ],
  [
    'The role gives more than yours, and whoever has the key of an app that has it holds it: only an administrator may take it from its apps.',
    'Die Rolle gibt mehr als Ihre, und wer den Schlüssel einer App hat, die sie hat, hält sie: Nur ein Administrator darf sie ihren Apps nehmen.',
  ],
  ['You are not authorized to perform this action.', 'Sie sind zu dieser Aktion nicht berechtigt.'],
  [
    'Token has expired: Session expired. Please refresh your token (if still within refresh window) or re-login.',
    'Das Token ist abgelaufen: Die Sitzung ist zu Ende. Bitte melden Sie sich wieder an.',
  ],
  [
    'The token has been blacklisted: Session terminated. Please re-login.',
    'Das Token ist gesperrt: Die Sitzung wurde beendet. Bitte melden Sie sich wieder an.',
  ],
  ['Invalid token: {{reason}}', 'Ungültiges Token: {{reason}}'],
  ['User is not active.', 'Der Benutzer ist nicht aktiv.'],
  ['User not found.', 'Benutzer nicht gefunden.'],
  ['App is not active.', 'Die App ist nicht aktiv.'],
  ['Unauthorized. User credentials did not match.', 'Nicht berechtigt. Die Zugangsdaten stimmen nicht.'],
  ['Login request is missing required email.', 'Zur Anmeldung fehlt die E-Mail-Adresse.'],
  ['Login request is missing required username.', 'Zur Anmeldung fehlt der Benutzername.'],
  ['Login request is missing required password.', 'Zur Anmeldung fehlt das Passwort.'],
  ['Invalid credentials supplied.', 'Die Zugangsdaten sind ungültig.'],
  ['Too many attempts. Please try again in a moment.', 'Zu viele Versuche. Bitte versuchen Sie es gleich noch einmal.'],
  [
    'The attempt was given up because the caller went away.',
    'Der Versuch wurde aufgegeben, weil der Aufrufer gegangen ist.',
  ],
  ['Role is not active.', 'Die Rolle ist nicht aktiv.'],
  [
    'Invalid login service provided. Please use an OAuth or AD/Ldap service.',
    'Ungültiger Dienst für die Anmeldung. Bitte verwenden Sie einen OAuth- oder AD/LDAP-Dienst.',
  ],
  [
    'Invalid login service provided. Please use an OAuth service.',
    'Ungültiger Dienst für die Anmeldung. Bitte verwenden Sie einen OAuth-Dienst.',
  ],
  [
    'The sign-in provider is not available: {{problem}}.',
    'Der Anbieter für die Anmeldung ist nicht erreichbar: {{problem}}.',
  ],
  [
    'The sign-in provider sent an answer that cannot be used: {{problem}}.',
    'Der Anbieter für die Anmeldung hat eine unbrauchbare Antwort geschickt: {{problem}}.',
  ],
  [
    'The sign-in was cancelled or refused by the provider.',
    'Die Anmeldung wurde abgebrochen oder vom Anbieter abgelehnt.',
  ],
  [
    'The provider did not confirm this sign-in: {{reason}}.',
    'Der Anbieter hat diese Anmeldung nicht bestätigt: {{reason}}.',
  ],
  ['No access token of the provider was sent.', 'Es wurde kein Zugriffstoken des Anbieters geschickt.'],
  [
    'Tokens of this provider are not accepted, as it cannot be told for whom they were issued.',
    'Tokens dieses Anbieters werden nicht angenommen, da nicht zu erkennen ist, für wen sie ausgestellt wurden.',
  ],
  ['Invalid SAML Response provided', 'Es kam keine gültige SAML-Antwort.'],
  ['Bad response received from idp. {{problem}}', 'Der Anbieter der Anmeldung hat einen Fehler gemeldet. {{problem}}'],
  [
    'Sign-in by SAML needs to know the address that people reach this instance at.',
    'Die Anmeldung durch SAML muss wissen, unter welcher Adresse diese Instanz erreicht wird.',
  ],
  [
    'The address that this sign-in would have belongs to another person.',
    'Die Adresse, die diese Anmeldung hätte, gehört jemand anderem.',
  ],
  ['There is no valid session for the current request.', 'Zu dieser Anfrage gibt es keine gültige Sitzung.'],
  ['No user session found.', 'Keine Sitzung eines Benutzers gefunden.'],
  ['Token refresh failed. {{reason}}', 'Das Token ließ sich nicht erneuern. {{reason}}'],
  [
    'The store of this platform does not answer. Please try again in a moment.',
    'Der Speicher dieser Plattform antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
  ],
  [
    'The store of this platform is busy with other writes. Please try again in a moment.',
    'Der Speicher dieser Plattform ist mit anderen Schreibvorgängen beschäftigt. Bitte versuchen Sie es gleich noch einmal.',
  ],
  [
    'The store of this platform took too long and was stopped.',
    'Der Speicher dieser Plattform hat zu lange gebraucht und wurde abgebrochen.',
  ],
  [
    'The disk that holds the store of this platform is full. Nothing was written.',
    'Der Datenträger mit dem Speicher dieser Plattform ist voll. Es wurde nichts geschrieben.',
  ],
  ['Not enough information provided to change password.', 'Zum Ändern des Passworts fehlen Angaben.'],
  [
    'Both old and new password are required to change the password.',
    'Zum Ändern des Passworts werden altes und neues gebraucht.',
  ],
  ['The password supplied does not match.', 'Das angegebene Passwort stimmt nicht.'],
  [
    'You are not authorized to reset/change password for the account {{email}}',
    'Sie sind nicht berechtigt, das Passwort des Kontos {{email}} zu setzen oder zu ändern.',
  ],
  ['Missing required email for password reset confirmation.', 'Die E-Mail-Adresse fehlt.'],
  ['Missing new password for reset.', 'Das neue Passwort fehlt.'],
  ['Invalid confirmation code.', 'Dieser Bestätigungscode gilt nicht.'],
  [
    'The supplied {{attribute}} and/or confirmation code were not found in the system.',
    'Diese Anmeldung ({{attribute}}) oder diesen Bestätigungscode gibt es nicht.',
  ],
  ['Confirmation code expired.', 'Der Bestätigungscode ist abgelaufen.'],
  ['Missing security answer.', 'Die Antwort auf die Sicherheitsfrage fehlt.'],
  [
    'The supplied {{attribute}} and confirmation code were not found in the system.',
    'Diese Anmeldung ({{attribute}}) gibt es nicht.',
  ],
  ['The answer supplied does not match.', 'Die Antwort stimmt nicht.'],
  ['Validation failed', 'Die Angaben sind ungültig.'],
  ['Open Registration is not enabled.', 'Man kann sich hier nicht selbst registrieren.'],
  [
    'Error processing user confirmation.\n{{reason}}',
    'Die Bestätigung der Registrierung ging nicht hinaus: {{reason}}',
  ],
  ['No data supplied for operation.', 'Zu dieser Aktion fehlen Daten.'],
  [
    'You do not have access to API Docs for the requested service {{service}}.',
    'Auf die API-Dokumentation des Dienstes {{service}} haben Sie keinen Zugriff.',
  ],
  [
    'There are no defined API Docs for the requested service {{service}}.',
    'Für den Dienst {{service}} gibt es keine API-Dokumentation.',
  ],
  [
    "There are no API Docs in version '{{version}}' of OpenAPI.",
    'In Version „{{version}}“ von OpenAPI gibt es keine API-Dokumentation.',
  ],
  [
    'Agents call with an API key or a session that has an active role.',
    'Agenten rufen mit einem API-Schlüssel oder einer Sitzung auf, die eine aktive Rolle hat.',
  ],
  ['Pages of this origin may not call tools.', 'Seiten dieses Ursprungs dürfen keine Werkzeuge aufrufen.'],
  ['The Content-Type of a message is application/json.', 'Der Content-Type einer Nachricht ist application/json.'],
  [
    'GraphQL is for callers with an API key or a session that has an active role.',
    'GraphQL verlangt einen API-Schlüssel oder eine Sitzung mit einer aktiven Rolle.',
  ],
  [
    'The Content-Type of a request of GraphQL is application/json.',
    'Der Content-Type einer GraphQL-Anfrage ist application/json.',
  ],
  ['The request is none of GraphQL: {{problem}}.', 'Das ist keine GraphQL-Anfrage: {{problem}}.'],
  ['A mutation is sent with POST.', 'Eine Mutation wird mit POST gesendet.'],
  ['The query is nested deeper than {{limit}} levels.', 'Die Abfrage ist tiefer als {{limit}} Ebenen verschachtelt.'],
  [
    "The query has '{{name}}' more than {{limit}} times in one selection.",
    'Die Abfrage hat „{{name}}“ mehr als {{limit}}-mal in einer Auswahl.',
  ],
  [
    'The operation has more than {{limit}} fields, each of which is a call.',
    'Die Operation hat mehr als {{limit}} Felder, von denen jedes ein Aufruf ist.',
  ],
  ['The query leads to more than {{limit}} tables.', 'Die Abfrage führt zu mehr als {{limit}} Tabellen.'],
  ['The answer has more than {{limit}} fields.', 'Die Antwort hat mehr als {{limit}} Felder.'],
  [
    "The relation '{{relation}}' is requested twice with different arguments.",
    'Die Beziehung „{{relation}}“ wird zweimal mit verschiedenen Argumenten verlangt.',
  ],
  ['The schema cannot be asked for like this: {{problem}}.', 'So lässt sich das Schema nicht erfragen: {{problem}}.'],
  ['The answer of the call is no JSON.', 'Die Antwort des Aufrufs ist kein JSON.'],
  [
    'The messages cannot be taken together: {{problem}}.',
    'Die Nachrichten können nicht zusammen angenommen werden: {{problem}}.',
  ],
  [
    "There is no service '{{service}}' that this caller may use with tools.",
    'Es gibt keinen Dienst „{{service}}“, den dieser Aufrufer mit Werkzeugen benutzen darf.',
  ],
  ["The argument '{{name}}' {{problem}}.", 'Mit dem Argument „{{name}}“ stimmt etwas nicht: {{problem}}.'],
  [
    'The arguments that make the address have more than {{limit}} bytes.',
    'Die Argumente, aus denen die Adresse entsteht, haben mehr als {{limit}} Bytes.',
  ],
  ['There is no such resource.', 'Diese Ressource gibt es nicht.'],
  ['This instance is already set up.', 'Diese Instanz ist schon eingerichtet.'],
  [
    'The set-up code is not right. It is printed where the server was started.',
    'Der Einrichtungscode ist falsch. Er steht dort, wo der Server gestartet wurde.',
  ],
];
