// Emails through Mandrill (https://mailchimp.com/developer/transactional/api/messages/send-mime-document/).
import { configField as field } from '@sluice/contract';
import { mailType, parameterField } from '../../mail/index.ts';
import { openMandrill } from './mandrill.ts';

/** Emails through Mandrill. */
export const mandrillEmail = mailType({
  name: 'mandrill_email',
  label: 'Mandrill',
  description: 'E-mail service for Mandrill.',
  config: {
    key: field.secret({ label: 'API Key', description: 'A key of the account.', required: true }),
    ...parameterField,
  },
  fixedDestination: 'It always calls mandrillapp.com.',
  address: () => 'mandrillapp.com',
  open: ({ key }) => openMandrill({ key: key ?? '' }),
});
