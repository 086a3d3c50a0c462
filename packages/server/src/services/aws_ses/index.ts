// Emails through Amazon SES.
import { configField as field } from '@sluice/contract';
import { mailType, parameterField } from '../../mail/index.ts';
import { openSes } from './ses.ts';

const regions = [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'eu-west-1', 'eu-west-2', 'eu-central-1'],
  ...['ap-south-1', 'ap-southeast-1', 'ap-southeast-2', 'ap-northeast-1', 'ap-northeast-2', 'sa-east-1'],
];

/** Emails through Amazon SES. */
export const awsSes = mailType({
  name: 'aws_ses',
  label: 'AWS SES',
  description: 'E-mail service for Amazon Simple Email Service.',
  config: {
    key: field.string({
      label: 'Access Key ID',
      description: 'Of an account that may send emails (ses:SendEmail).',
      destination: true,
    }),
    secret: field.secret({ label: 'Secret Access Key', description: 'The secret of that key.' }),
    region: field.picklist({
      label: 'Region',
      description: 'Where the identities that send were verified.',
      required: true,
      values: regions.map((name) => ({ label: name, name })),
      destination: true,
    }),
    ...parameterField,
  },
  address: ({ region }) => (region ? `email.${region}.amazonaws.com` : undefined),
  open: ({ key, secret, region }) =>
    openSes({ key: key?.trim() ?? '', secret: secret ?? '', region: String(region ?? '') }),
});
