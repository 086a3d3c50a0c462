// Deutsche Wörter der Felder, die sich Konfigurationen von Datenbanken teilen (fields.ts, mysql-type.ts, pgsql-type.ts), und derer,
// die sich Objektspeicher (endpoint.ts, swift-type.ts) und Skripte (script-type.ts) teilen.
import type { FieldWords } from '@sluice/contract';

type Fields = Readonly<Record<string, FieldWords>>;

export const cacheFields: Fields = {
  cache_enabled: {
    label: 'Gelesene Daten zwischenspeichern',
    description: 'Antworten auf GET werden aufgehoben und wieder gegeben; Schreiben erneuert sie nicht.',
  },
  cache_ttl: {
    label: 'Lebensdauer im Cache (Minuten)',
    description: 'Wie lange eine aufgehobene Antwort wieder gegeben wird.',
  },
};

/** Felder jeder Datenbank. */
export const databaseFields: Fields = {
  allow_upsert: {
    label: 'Upsert erlauben',
    description: 'Einen Datensatz zu ändern, den es nicht gibt, legt ihn an.',
  },
  max_records: {
    label: 'Höchstzahl an Datensätzen',
    description: 'So viele Datensätze hat eine Antwort höchstens, und so viele eine Liste ohne Limit.',
  },
  query_timeout: {
    label: 'Zeitgrenze für Abfragen (Sekunden)',
    description:
      'Wie lange eine Abfrage dauern darf, bevor sie abgebrochen wird. Leer: so lange, wie diese Instanz erlaubt, und niemals länger.',
  },
  ...cacheFields,
};

/** Felder jedes Datenbankservers. */
const serverFields = (port: number): Fields => ({
  host: {
    label: 'Host',
    description: 'Name oder Adresse des Datenbankservers. Wie auch die Datenbank wird er gebraucht.',
  },
  port: { label: 'Portnummer', description: `Leer: ${port}, die übliche.` },
  database: { label: 'Datenbank', description: 'Name der Datenbank.' },
  username: { label: 'Benutzername', description: 'Der Benutzer der Datenbank, als den sich der Dienst verbindet.' },
  password: { label: 'Passwort', description: 'Passwort dieses Benutzers.' },
  schema: {
    label: 'Schema',
    description:
      'Leer oder „all“: die Tabellen aller Schemas, außerhalb des Standardschemas als schema.tabelle. „default“: die des Standardschemas. Sonst der Name eines Schemas.',
  },
  attributes: {
    label: 'Treiberattribute',
    description: 'Ohne Wirkung; wird für anderswo erstellte Konfigurationen behalten.',
  },
  max_connections: {
    label: 'Höchstzahl an Verbindungen',
    description:
      'So viele Verbindungen öffnet dieser Server für den Dienst höchstens zugleich. Weitere Aufrufe warten.',
  },
  ...databaseFields,
});

export const mysqlFields = (port: number): Fields => ({
  ...serverFields(port),
  charset: {
    label: 'Zeichensatz',
    description:
      'Ohne Wirkung: Verbindungen laufen immer in utf8mb4, das jeden Text fasst. Wird für anderswo erstellte Konfigurationen behalten.',
  },
  collation: {
    label: 'Sortierfolge des Zeichensatzes',
    description: 'Sortierfolge der Sitzungen, eine von utf8mb4. Leer: die übliche. Spalten behalten ihre eigene.',
  },
  timezone: {
    label: 'Zeitzone',
    description: 'Zeitzone der Sitzungen: worin Spalten vom Typ timestamp erscheinen. Leer bedeutet UTC, +00:00.',
  },
  modes: {
    label: 'Sitzungsmodi',
    description:
      'SQL-Modi der Sitzungen, durch Kommas getrennt, statt dessen, was der Server und der strenge Modus sagen.',
  },
  strict: {
    label: 'Strenger Modus',
    description: 'Werte, die nicht passen, werden abgewiesen. Ohne ihn kürzt der Server sie auf das, was passt.',
  },
  unix_socket: {
    label: 'Verbindung über Socket',
    description: 'Pfad eines Sockets auf diesem Rechner, statt Host und Port.',
  },
  options: {
    label: 'Treiberoptionen',
    description:
      'Bekannt sind ssl_mode (DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY; ohne ihn sind Verbindungen unverschlüsselt) sowie ssl_ca, ssl_cert und ssl_key (PEM-Text oder der absolute Pfad einer Datei damit). Andere werden behalten und bleiben ohne Wirkung.',
  },
  statements: {
    label: 'Zusätzliche SQL-Anweisungen',
    description: 'SQL, das beim Öffnen jeder Verbindung läuft, etwa SET SESSION lock_wait_timeout = 10.',
  },
});

export const pgsqlFields = (port: number): Fields => ({
  ...serverFields(port),
  charset: {
    label: 'Zeichensatz',
    description:
      'Ohne Wirkung: Verbindungen laufen immer in UTF-8. Wird für anderswo erstellte Konfigurationen behalten.',
  },
  sslmode: {
    label: 'SSL-Modus',
    description:
      'Eines von disable, allow, prefer, require, verify-ca, verify-full; leer bedeutet prefer. Ab verify-ca wird das Zertifikat des Servers geprüft. Verbindungen über einen Socket haben keines.',
  },
  timezone: {
    label: 'Zeitzone',
    description: 'Zeitzone der Sitzungen: worin Zeiten mit Zone erscheinen. Leer bedeutet UTC.',
  },
  application_name: {
    label: 'Name der Anwendung',
    description: 'Als was die Datenbank die Verbindungen aufführt. Leer bedeutet sluice.',
  },
  options: {
    label: 'Treiberoptionen',
    description:
      'Bekannt sind sslrootcert, sslcert und sslkey (PEM-Text oder der absolute Pfad einer Datei damit) und prepare: Mit „false“ wird keine Anweisung vorbereitet, für Pooler, die sie nicht auseinanderhalten. Andere werden behalten und bleiben ohne Wirkung.',
  },
  statements: {
    label: 'Zusätzliche SQL-Anweisungen',
    description: 'SQL, das beim Öffnen jeder Verbindung läuft, etwa SET search_path TO sales.',
  },
});

/** Felder jedes Objektspeichers. */
export const objectFields = (container: string, endpoint: string): Fields => ({
  public_path: {
    label: 'Öffentliche Pfade',
    description: 'Ordner und Dateien, die jeder ohne Anmeldung lesen kann.',
  },
  container: { label: 'Container', description: container },
  endpoint: { label: 'Endpunkt', description: endpoint },
});

/** Felder jedes Swift. */
export const swiftFields: Fields = {
  username: { label: 'Benutzername', description: 'Der Benutzer, als der sich der Dienst anmeldet.' },
  tenant_name: { label: 'Mandant', description: 'Das Projekt oder der Mandant, dem der Container gehört.' },
  ...objectFields(
    'Name des Containers; er wird angelegt, wenn es ihn nicht gibt.',
    'Adresse des Kontos im Objektspeicher mit Version und Name, etwa https://swift.example.com/v1/AUTH_42. Leer: was der Identitätsdienst für die Region nennt.',
  ),
};

/** Felder jedes Dienstes, mit dem man sich anmeldet. */
const roleFields: Fields = {
  default_role: {
    label: 'Standardrolle',
    description: 'Die Rolle in jeder App, in der jemand noch keine hat.',
  },
  app_role_map: {
    label: 'Rolle je App',
    description: 'Die Rolle in einigen Apps, bei jeder Anmeldung.',
    items: { app_id: 'App', role_id: 'Rolle' },
  },
};

export const signInFields: Fields = {
  ...roleFields,
  client_id: { label: 'Client-ID', description: 'Wie der Anbieter diese Instanz nennt.' },
  client_secret: {
    label: 'Client-Secret',
    description: 'Womit sich diese Instanz beim Anbieter ausweist.',
  },
  redirect_url: {
    label: 'Rücksprungadresse',
    description:
      'Wohin der Anbieter Menschen zurückschickt, wie sie dort eingetragen ist: eine Seite der Konsole, https://api.example.com/login.',
  },
  icon_class: { label: 'Icon-Klasse', description: 'Das Icon des Knopfes, für Clients, die eines zeigen.' },
};

/** Felder eines eigenen Anbieters. */
export const customFields: Fields = {
  custom_provider: {
    label: 'Eigener OAuth-2.0-Anbieter',
    description: 'Angemeldet wird sich stattdessen bei den Adressen darunter.',
  },
  auth_endpoint: {
    label: 'Autorisierungsendpunkt',
    description: 'Eines eigenen Anbieters: wohin Browser geschickt werden.',
  },
  token_endpoint: { label: 'Token-Endpunkt', description: 'Eines eigenen Anbieters: wo Tokens ausgestellt werden.' },
  user_endpoint: {
    label: 'User-Info-Endpunkt',
    description: 'Eines eigenen Anbieters: antwortet, wessen Token es ist.',
  },
  scopes: {
    label: 'Scopes',
    description: 'Eines eigenen Anbieters: wonach gefragt wird, durch Kommas oder Leerzeichen getrennt.',
  },
};

/** Felder jedes Dienstes, der ein Skript ist. */
export const scriptFields: Fields = {
  queued: {
    label: 'Später ausführen',
    description: 'Aufrufe werden sofort mit 202 beantwortet, und das Skript läuft danach.',
  },
  implements_access_list: {
    label: 'Skript liefert die Zugriffsliste',
    description: 'Das Skript antwortet, was Rollen von diesem Dienst nennen können, statt seiner Definition.',
  },
  content: {
    label: 'Inhalt',
    description: 'Das Skript. Es sieht event und platform, und was es zurückgibt, ist die Antwort.',
  },
  config: {
    label: 'Weitere Konfiguration',
    description:
      'delay: Sekunden, die ein später ausgeführtes Skript wartet, bis es läuft. connection und queue werden behalten und nicht benutzt.',
  },
  storage_service_id: { label: 'Speicherdienst', description: 'Der Dienst, in dem das Skript liegt.' },
  storage_path: { label: 'Pfad', description: 'Wo es in diesem Dienst liegt.' },
  scm_repository: { label: 'Repository', description: 'Bei Diensten der Versionsverwaltung: ihr Repository.' },
  scm_reference: { label: 'Branch oder Tag', description: 'Leer: der Standard des Dienstes.' },
  ...cacheFields,
  service_event_map: {
    label: 'Ereignisse',
    description:
      'Ereignisse, nach denen dieser Dienst aufgerufen wird. {service}.* steht für alle Ereignisse eines Dienstes.',
    items: { event: 'Ereignis', data: 'Daten' },
  },
};

/** Felder jedes Verzeichnisses (directory.ts). */
export const directoryFields: Fields = {
  ...roleFields,
  host: {
    label: 'Host',
    description:
      'Name oder Adresse des Verzeichnisses. ldaps:// davor verschlüsselt die Verbindung, ldap+starttls:// verschlüsselt eine, die im Klartext beginnt; ohne beides werden Passwörter im Klartext gesendet. Ein Port kann folgen: ad.example.com:3268.',
  },
  base_dn: {
    label: 'Basis-DN',
    description: 'Der Eintrag, unter dem die Personen stehen: dc=example,dc=com.',
  },
  account_suffix: {
    label: 'Endung der Konten',
    description:
      'Was hinter den Namen der Konten steht, @example.com. Leer: die Domain der Basis-DN. Auch Adressen von Personen ohne eigene enden so.',
  },
};
