// Diensttypen, wie dieser Server sie auf Englisch nennt. Die Wörter eines Typs stehen in seinem Ordner; hier stehen Gruppen
// und Typen, die dieser Server nicht hat.
import type { WordsByType } from '@sluice/contract';
import type { ServiceTypesWords } from '../../server-words.ts';

// Data of the server's folders, put in when the console is built: nothing of the server runs here (scripts/rooms.mjs).
const folders = import.meta.glob<WordsByType>(
  [
    '../../../../../server/src/services/*/words.de.ts',
    '../../../../../server/src/resources/words.de.ts',
    '!../../../../../server/src/services/engines/*',
  ],
  { eager: true, import: 'words' },
);

export const serviceTypes: ServiceTypesWords = {
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
    oidc: { label: 'OpenID Connect' },
    apns: { label: 'Apple-Push-Mitteilungen' },
    gcm: { label: 'GCM-Push-Mitteilungen' },
    mqtt: { label: 'MQTT-Client' },
    ldap: { label: 'LDAP' },
    ...Object.assign({}, ...Object.values(folders)),
  },
  keyValue: { Name: 'Name', Value: 'Wert' },
};
