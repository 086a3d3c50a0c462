// Topics and devices of Amazon SNS, and what is published to them (contract/services-other.md §5).
import { type ConfigOf, configField as field } from '@sluice/contract';
import { serviceType } from '../../service/service.ts';
import { awsRegions } from '../engines/aws.ts';
import { checkEndpoint, endpointField, trimmed } from '../engines/endpoint.ts';
import { createIdentifiers } from './identifiers.ts';
import { resources, rootRoutes, type SnsService } from './routes.ts';
import { openSns } from './sns.ts';

const config = {
  key: field.text({
    label: 'Access Key ID',
    description: 'Of an account that may use SNS.',
    destination: true,
  }),
  secret: field.secret({ label: 'Secret Access Key', description: 'The secret of that key.' }),
  region: field.picklist({
    label: 'Region',
    description: 'Where the topics are.',
    required: true,
    values: awsRegions.map((name) => ({ label: name, name })),
    destination: true,
  }),
  endpoint: endpointField('Address of another server that speaks the protocol of SNS. Blank: Amazon.'),
};

const open = ({ key, secret, region, endpoint }: ConfigOf<typeof config>) =>
  openSns({ key: key?.trim() ?? '', secret: secret ?? '', region: String(region ?? ''), endpoint: trimmed(endpoint) });

/** Messages by Amazon SNS. */
export const awsSns = serviceType<typeof config, SnsService>({
  name: 'aws_sns',
  label: 'AWS SNS',
  description: 'Topics, subscriptions and devices of Amazon SNS, and messages to them.',
  group: 'Notification',
  can: { accessList: true },
  config,
  check: ({ endpoint }) => checkEndpoint(endpoint),
  address: ({ region, endpoint }) => trimmed(endpoint) ?? (region ? `sns.${region}.amazonaws.com` : undefined),
  async test(values) {
    const sns = open(values);
    try {
      await sns.call((client, { ListTopicsCommand }, options) => client.send(new ListTopicsCommand({}), options));
    } finally {
      await sns.close();
    }
  },
  open(values) {
    const sns = open(values);
    return { sns, identifiers: createIdentifiers(sns), close: () => sns.close() };
  },
  resources,
  routes: rootRoutes,
});
