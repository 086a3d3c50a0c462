import type { WordsByType } from '@sluice/contract';
import { objectFields } from '../engines/words.de.ts';

export const words: WordsByType = {
  aws_s3: {
    description: 'Dateien in einem Bucket von Amazon S3 oder eines Servers, der dessen Protokoll spricht.',
    fields: {
      key: {
        label: 'ID des Zugriffsschlüssels',
        description:
          'Leer, wie auch der geheime Schlüssel: die Zugangsdaten, die dieser Rechner aus seiner Umgebung hat.',
      },
      secret: { label: 'Geheimer Zugriffsschlüssel', description: 'Das Geheimnis dieses Schlüssels.' },
      region: { label: 'Region', description: 'Wo der Bucket liegt.' },
      ...objectFields(
        'Name des Buckets; er wird angelegt, wenn es ihn nicht gibt.',
        'Adresse eines anderen Servers, der das Protokoll von S3 spricht, etwa https://minio.example.com:9000; Buckets stehen dort im Pfad. Leer: Amazon.',
      ),
    },
  },
};
