// Buckets of Amazon S3, and of servers that speak its protocol, as file services. What an object store becomes a container by
// is in server/src/storage/objects.ts.
import { type ConfigOf, fail, configField as field } from '@sluice/contract';
import { fileType, pathFields } from '../../storage/index.ts';
import { objectStorage } from '../../storage/objects.ts';
import { awsRegions } from '../engines/aws.ts';
import { checkEndpoint, endpointField, trimmed } from '../engines/endpoint.ts';
import type { S3Options } from './s3-store.ts';

/** Those of the contract first, in its order; the others are newer. */
const regions = [
  ...awsRegions,
  ...['af-south-1', 'ap-east-1', 'ap-east-2', 'ap-northeast-3', 'ap-south-2', 'ap-southeast-3', 'ap-southeast-4'],
  ...['ap-southeast-5', 'ap-southeast-7', 'ca-west-1', 'eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-south-2'],
  ...['eu-west-3', 'il-central-1', 'me-central-1', 'me-south-1', 'mx-central-1'],
];

const config = {
  key: field.text({
    label: 'Access Key ID',
    destination: true,
    description: 'Blank, as the secret: the credentials that this machine has from its environment.',
  }),
  secret: field.secret({ label: 'Secret Access Key', description: 'The secret of that key.' }),
  region: field.picklist({
    label: 'Region',
    required: true,
    destination: true,
    description: 'Where the bucket lies.',
    values: regions.map((name) => ({ label: name, name })),
  }),
  ...pathFields({ label: 'Container', description: 'Name of the bucket, made when it is missing.', destination: true }),
  endpoint: endpointField(
    'Address of another server that speaks the protocol of S3, such as https://minio.example.com:9000; buckets are addressed by path there. Blank: Amazon.',
  ),
};

type Config = ConfigOf<typeof config>;

/** Files in a bucket; `uploadLimit` in bytes. */
export const awsS3 = (uploadLimit: number) =>
  fileType({
    uploadLimit,
    name: 'aws_s3',
    label: 'AWS S3',
    description: 'File service supporting the AWS S3 file system.',
    config,
    check({ key, secret, endpoint }) {
      const field = secret ? 'key' : 'secret';
      const message = `The ${field} field is required.`;
      if (Boolean(trimmed(key)) !== Boolean(secret))
        throw fail('record.invalid', { messages: [message] }, { context: { [field]: [message] } });
      checkEndpoint(endpoint);
    },
    address: ({ endpoint, region, container }) =>
      `${trimmed(endpoint) ?? `https://s3.${region}.amazonaws.com`}/${trimmed(container) ?? ''}`,
    async test(config, { name }) {
      const store = await openStore(config, name);
      await store.close?.();
    },
    open: async (config, { name }) => objectStorage(await openStore(config, name)),
  });

async function openStore({ key, secret, region, container, endpoint }: Config, name: string) {
  const bucket = trimmed(container);
  // A lookup that became nothing.
  if (!bucket) throw fail('file.noBucket', { name });
  const options: S3Options = {
    bucket,
    region: String(region ?? ''),
    endpoint: trimmed(endpoint),
    login: trimmed(key) && secret ? { accessKeyId: trimmed(key) as string, secretAccessKey: secret } : undefined,
  };
  // The library is large and most instances need none of it.
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(options);
}
