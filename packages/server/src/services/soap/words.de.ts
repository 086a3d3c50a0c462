import type { WordsByType } from '@sluice/contract';
import { cacheFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  soap: {
    label: 'SOAP-Dienst',
    description: 'Die Operationen eines SOAP-Dienstes anderswo, mit JSON aufgerufen.',
    fields: {
      wsdl: {
        label: 'WSDL-URI',
        description:
          'Wo der Dienst sich selbst beschreibt, https://…?wsdl, oder der Name einer Datei im Ordner wsdl des Datenordners. Leer: die Optionen haben location und uri.',
      },
      options: {
        label: 'Optionen',
        description:
          'Optionen von SOAP-Clients: location (wohin Aufrufe gehen), uri (der Namensraum, ohne WSDL), soap_version (1 oder 2), login und password, user_agent, connection_timeout und timeout in Sekunden.',
      },
      headers: {
        label: 'Header',
        description:
          'Header jeder Nachricht. Die Daten sind JSON, bei WSSE {"username":"…","password":"…"}. Für Lookup-Keys in Klammern stehen in ihren Texten deren Werte, auch die privater.',
        items: {
          type: 'Art',
          namespace: 'Namensraum',
          name: 'Name',
          data: 'Daten',
          mustunderstand: 'Muss verstanden werden',
          actor: 'Actor',
        },
      },
      ...cacheFields,
    },
  },
};
