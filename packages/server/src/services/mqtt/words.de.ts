import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  mqtt: {
    label: 'MQTT-Client',
    description: 'Nachrichten eines Brokers (MQTT): von Aufrufen gesendet, und Anlass von Aufrufen.',
    fields: {
      host: { label: 'Host des Brokers', description: 'Name oder Adresse des Brokers.' },
      port: { label: 'Port des Brokers', description: 'Üblich ist 1883, mit TLS 8883.' },
      client_id: {
        label: 'Client-ID',
        description:
          'Der Name dieses Clients beim Broker. Verbindungen, die nur senden, hängen einen Bindestrich und acht Zeichen an.',
      },
      username: { label: 'Benutzername', description: 'Leer: Der Broker verlangt keine Anmeldung.' },
      password: { label: 'Passwort', description: 'Passwort dieses Benutzers.' },
      use_tls: {
        label: 'TLS verwenden',
        description: 'Verschlüsselt die Verbindung und prüft das Zertifikat des Brokers.',
      },
      capath: {
        label: 'Pfad der CA-Zertifikate',
        description:
          'Eine Datei dieses Rechners, oder ein Ordner von Dateien, mit den Zertifikaten (PEM) der Stellen, denen vertraut wird.',
      },
    },
  },
};
