// Emails through SparkPost (https://developers.sparkpost.com/api/transmissions/).
import { configField as field } from '@sluice/contract';
import { mailType, parameterField } from '../../mail/index.ts';
import { openSparkpost } from './sparkpost.ts';

/** Emails through SparkPost. */
export const sparkpostEmail = mailType({
  name: 'sparkpost_email',
  label: 'SparkPost',
  description: 'E-mail service for SparkPost.',
  config: {
    key: field.secret({
      label: 'API Key',
      description: 'A key of the account that may write transmissions.',
      required: true,
    }),
    ...parameterField,
  },
  fixedDestination: 'It always calls api.sparkpost.com.',
  address: () => 'api.sparkpost.com',
  open: ({ key }) => openSparkpost({ key: key ?? '' }),
});
