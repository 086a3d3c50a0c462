import type { WordsByType } from '@sluice/contract';

export const words: WordsByType = {
  webdav_file: {
    description: 'Dateien in einem Ordner eines WebDAV-Servers.',
    fields: {
      base_uri: {
        label: 'Basisadresse',
        description: 'Adresse des Servers, http:// oder https://, ohne Benutzername und Passwort.',
      },
      username: { label: 'Benutzername', description: 'Das Konto des Servers, mit dem sich der Dienst anmeldet.' },
      password: { label: 'Passwort', description: 'Dessen Passwort.' },
      auth_type: {
        label: 'Art der Anmeldung',
        description:
          'Wie sich der Dienst anmeldet. Keine Angabe: wie der Server es verlangt, Digest oder Basic. NTLM gibt es nicht.',
      },
      encoding: { label: 'Kompression', description: 'Wie der Server komprimieren darf, was er sendet.' },
      proxy: {
        label: 'Proxy',
        description: 'HTTP-Proxy, der zum Server führt, als host:port. Er darf keine Anmeldung verlangen.',
      },
      public_path: {
        label: 'Öffentliche Pfade',
        description: 'Ordner und Dateien, die jeder ohne Anmeldung lesen kann.',
      },
      container: {
        label: 'Wurzelordner',
        description:
          'Ordner unterhalb der Basisadresse; / ist die Basisadresse selbst. Er wird angelegt, wenn er fehlt.',
      },
    },
  },
};
