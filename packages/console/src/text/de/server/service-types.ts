// Diensttypen und ihre Konfiguration, wie dieser Server sie auf Englisch nennt: nach Gruppe, Typ und Feld.
import type { ServiceTypeWords } from '../../server-words.ts';

const serverName = 'Name oder Adresse des Datenbankservers. Wie auch die Datenbank wird er gebraucht.';
const noEffect = 'Ohne Wirkung; wird für anderswo erstellte Konfigurationen behalten.';
const sqliteOption = 'SQLite hat keine; werden angenommen, damit anderswo erstellte Konfigurationen passen.';
const inviteMail = 'Verschickt Einladungen.';

const mysqlFields: ServiceTypeWords['fields'] = {
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
  options: {
    label: 'Treiberoptionen',
    description:
      'Bekannt sind ssl_mode (DISABLED, PREFERRED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY; ohne ihn sind Verbindungen unverschlüsselt) sowie ssl_ca, ssl_cert und ssl_key (PEM-Text oder der absolute Pfad einer Datei damit). Andere werden behalten und bleiben ohne Wirkung.',
  },
  statements: {
    label: 'Zusätzliche SQL-Anweisungen',
    description: 'SQL, das beim Öffnen jeder Verbindung läuft, etwa SET SESSION lock_wait_timeout = 10.',
  },
};

const pgsqlFields: ServiceTypeWords['fields'] = {
  charset: {
    label: 'Zeichensatz',
    description:
      'Ohne Wirkung: Verbindungen laufen immer in UTF-8. Wird für anderswo erstellte Konfigurationen behalten.',
  },
  timezone: {
    label: 'Zeitzone',
    description: 'Zeitzone der Sitzungen: worin Zeiten mit Zone erscheinen. Leer bedeutet UTC.',
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
};

const port = (usual: number) => ({ label: 'Portnummer', description: `Leer: ${usual}, die übliche.` });

export const serviceTypes: ServiceTypeWords = {
  groups: {
    'API Doc': 'API-Dokumentation',
    Cache: 'Cache',
    Database: 'Datenbank',
    Email: 'E-Mail',
    Event: 'Ereignisse',
    File: 'Dateien',
    IoT: 'IoT',
    LDAP: 'LDAP',
    Limit: 'Begrenzungen',
    Notification: 'Benachrichtigungen',
    OAuth: 'OAuth',
    'Remote Service': 'Entfernter Dienst',
    'Source Control': 'Versionsverwaltung',
    Script: 'Skript',
    System: 'System',
    User: 'Benutzer',
    Log: 'Protokoll',
    SSO: 'SSO',
  },
  types: {
    sqlite: { description: 'Eine SQLite-Datei als API.' },
    mysql: { description: 'Eine MySQL-Datenbank als API.' },
    pgsql: { description: 'Eine PostgreSQL-Datenbank als API.' },
    memsql: { description: 'Eine Datenbank von MemSQL (SingleStore) als API.' },
    aws_redshift_db: { description: 'Eine Datenbank von AWS Redshift als API.' },
    system: { label: 'Systemverwaltung', description: 'Verwaltet, was das System selbst ausmacht.' },
    user: { label: 'Benutzerdienst', description: 'Lässt Personen sich anmelden und Passwort und Profil ändern.' },
    oidc: { label: 'OpenID Connect' },
    soap: { label: 'SOAP-Dienst' },
    apns: { label: 'Apple-Push-Mitteilungen' },
    gcm: { label: 'GCM-Push-Mitteilungen' },
    mqtt: { label: 'MQTT-Client' },
    ldap: { label: 'LDAP' },
  },
  fields: {
    host: { label: 'Host', description: serverName },
    database: { label: 'Datenbank', description: 'Name der Datenbank.' },
    username: { label: 'Benutzername', description: 'Der Benutzer der Datenbank, als den sich der Dienst verbindet.' },
    password: { label: 'Passwort', description: 'Passwort dieses Benutzers.' },
    schema: {
      label: 'Schema',
      description:
        'Leer oder „all“: die Tabellen aller Schemas, außerhalb des Standardschemas als schema.tabelle. „default“: die des Standardschemas. Sonst der Name eines Schemas.',
    },
    sslmode: {
      label: 'SSL-Modus',
      description:
        'Eines von disable, allow, prefer, require, verify-ca, verify-full; leer bedeutet prefer. Ab verify-ca wird das Zertifikat des Servers geprüft. Verbindungen über einen Socket haben keines.',
    },
    application_name: {
      label: 'Name der Anwendung',
      description: 'Als was die Datenbank die Verbindungen aufführt. Leer bedeutet sluice.',
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
    attributes: { label: 'Treiberattribute', description: noEffect },
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
    cache_enabled: {
      label: 'Gelesene Daten zwischenspeichern',
      description: 'Antworten auf GET werden aufgehoben und wieder gegeben; Schreiben erneuert sie nicht.',
    },
    cache_ttl: {
      label: 'Lebensdauer im Cache (Minuten)',
      description: 'Wie lange eine aufgehobene Antwort wieder gegeben wird.',
    },
    max_connections: {
      label: 'Höchstzahl an Verbindungen',
      description:
        'So viele Verbindungen öffnet dieser Server für den Dienst höchstens zugleich. Weitere Aufrufe warten.',
    },
    default_app_id: {
      label: 'Standard-App',
      description: 'Die App, die sich nach der Anmeldung öffnet, wenn niemand eine gewählt hat.',
    },
    invite_email_service_id: { label: 'E-Mail-Dienst für Einladungen', description: inviteMail },
    invite_email_template_id: { label: 'E-Mail-Vorlage für Einladungen', description: 'Der Text einer Einladung.' },
    password_email_service_id: {
      label: 'E-Mail-Dienst für Passwörter',
      description: 'Verschickt den Link zum Setzen eines neuen Passworts.',
    },
    password_email_template_id: { label: 'E-Mail-Vorlage für Passwörter', description: 'Der Text dieser E-Mail.' },
    allow_open_registration: {
      label: 'Offene Registrierung erlauben',
      description: 'Ob sich Personen selbst registrieren dürfen.',
    },
    open_reg_role_id: {
      label: 'Standardrolle bei offener Registrierung',
      description: 'Die Rolle derer, die sich selbst registriert haben.',
    },
    app_role_map: {
      label: 'Rolle je App bei offener Registrierung',
      description: 'In einzelnen Apps eine andere Rolle für Personen, die sich selbst registriert haben.',
      items: { app_id: 'App', role_id: 'Rolle' },
    },
    open_reg_email_service_id: {
      label: 'E-Mail-Dienst für Registrierungen',
      description: 'Verschickt die E-Mail, die eine Registrierung bestätigt.',
    },
    open_reg_email_template_id: {
      label: 'E-Mail-Vorlage für Registrierungen',
      description: 'Der Text dieser E-Mail.',
    },
  },
  fieldsOfTypes: {
    sqlite: {
      database: {
        label: 'Datenbank',
        description:
          'Ein Dateiname, der bei den Daten dieser Instanz liegt und beim ersten Gebrauch angelegt wird, oder der absolute Pfad einer vorhandenen SQLite-Datei. Wird gebraucht.',
      },
      options: { label: 'Treiberoptionen', description: sqliteOption },
      attributes: { label: 'Treiberattribute', description: sqliteOption },
      statements: {
        label: 'Zusätzliche SQL-Anweisungen',
        description: 'PRAGMA-Anweisungen, die beim Öffnen jeder Verbindung laufen.',
      },
    },
    mysql: { ...mysqlFields, port: port(3306) },
    memsql: { ...mysqlFields, port: port(3306) },
    pgsql: { ...pgsqlFields, port: port(5432) },
    aws_redshift_db: { ...pgsqlFields, port: port(5439) },
  },
  keyValue: { Name: 'Name', Value: 'Wert' },
};
