// Meldungen des Fehlerkatalogs, Englisch und Deutsch: directory.
import type { MessageWords } from '../../server-words.ts';

export const directories: MessageWords = [
  ['The directory is not available: {{problem}}.', 'Das Verzeichnis ist nicht erreichbar: {{problem}}.'],
  ['No username and/or password provided.', 'Es fehlen Benutzername oder Passwort.'],
  ['Invalid username and password provided.', 'Benutzername oder Passwort ist falsch.'],
  [
    'No username and/or password found in service definition.',
    'Im Dienst fehlen der Benutzername oder das Passwort für das Verzeichnis.',
  ],
  [
    'Invalid credentials in service definition. Cannot authenticate against the Active Directory server.',
    'Benutzername oder Passwort im Dienst ist falsch: Das Active Directory nimmt die Anmeldung nicht an.',
  ],
  ['The filter cannot be used: {{problem}}.', 'Der Filter lässt sich nicht verwenden: {{problem}}.'],
  ['An attribute cannot be called "{{name}}".', 'So kann kein Attribut heißen: „{{name}}“.'],
  ['More than {{limit}} entries of the directory match.', 'Mehr als {{limit}} Einträge des Verzeichnisses passen.'],
  [
    'Too many calls of the directory are under way. Try again in a moment.',
    'Zu viele Aufrufe des Verzeichnisses laufen gerade. Versuchen Sie es gleich noch einmal.',
  ],
  [
    'The host must be a name or an address, or begin with ldap://, ldaps:// or ldap+starttls://.',
    'Der Host muss ein Name oder eine Adresse sein, oder mit ldap://, ldaps:// oder ldap+starttls:// beginnen.',
  ],
  [
    'The base_dn must be the name of an entry: dc=example,dc=com.',
    'base_dn muss der Name eines Eintrags sein: dc=example,dc=com.',
  ],
  ['The max_page_size must be between 1 and 1000.', 'max_page_size muss zwischen 1 und 1000 liegen.'],
  ['it did not answer in time', 'es hat nicht rechtzeitig geantwortet'],
  ['the connection was refused', 'die Verbindung wurde abgelehnt'],
  ['the connection was ended', 'die Verbindung wurde beendet'],
  ['the name of its host is not known', 'der Name seines Hosts ist unbekannt'],
  ['there is no way to its host', 'zu seinem Host führt kein Weg'],
  ['the connection failed ({{code}})', 'die Verbindung ist gescheitert ({{code}})'],
  ['it wants an encrypted connection', 'es verlangt eine verschlüsselte Verbindung'],
  ['it sent more than is read', 'es hat mehr gesendet, als gelesen wird'],
  ['it sent what is no message of a directory', 'es hat gesendet, was keine Nachricht eines Verzeichnisses ist'],
];
