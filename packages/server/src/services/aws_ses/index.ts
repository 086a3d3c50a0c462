// Emails through Amazon SES.
import { configField as field } from '@sluice/contract';
import { mailType, parameterField } from '../../mail/index.ts';
import { awsRegions } from '../engines/aws.ts';
import { openSes } from './ses.ts';

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
      values: awsRegions.map((name) => ({ label: name, name })),
      destination: true,
    }),
    ...parameterField,
  },
  address: ({ region }) => (region ? `email.${region}.amazonaws.com` : undefined),
  open: ({ key, secret, region }) =>
    openSes({ key: key?.trim() ?? '', secret: secret ?? '', region: String(region ?? '') }),
});
