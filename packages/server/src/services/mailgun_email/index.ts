// Emails through Mailgun (https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages).
import { configField as field } from '@sluice/contract';
import { mailType, parameterField } from '../../mail/index.ts';
import { checkDomain, openMailgun } from './mailgun.ts';

/** Emails through Mailgun. */
export const mailgunEmail = mailType({
  name: 'mailgun_email',
  label: 'Mailgun',
  description: 'E-mail service for Mailgun.',
  config: {
    domain: field.string({
      label: 'Mailgun Domain',
      description: 'The domain emails are sent from, as Mailgun knows it.',
      required: true,
      destination: true,
    }),
    key: field.secret({ label: 'API Key', description: 'A key of the account, or one of the domain.', required: true }),
    region_endpoint: field.picklist({
      label: 'Region Endpoint',
      description: 'Where the domain was set up.',
      default: '',
      values: [
        { label: 'United States', name: '' },
        { label: 'Europe', name: 'eu' },
      ],
      destination: true,
    }),
    ...parameterField,
  },
  check: ({ domain }) => checkDomain(domain ?? ''),
  address: ({ region_endpoint }) => (region_endpoint === 'eu' ? 'api.eu.mailgun.net' : 'api.mailgun.net'),
  open: ({ domain, key, region_endpoint }) =>
    openMailgun({ domain: domain?.trim() ?? '', key: key ?? '', region: region_endpoint === 'eu' ? 'eu' : 'us' }),
});
