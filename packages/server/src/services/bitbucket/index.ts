// Repositories of a workspace of Bitbucket Cloud.
import { accountType } from '../../repositories/account-type.ts';
import { openBitbucket } from './bitbucket.ts';

/** Repositories of a workspace of Bitbucket. */
export const bitbucket = accountType({
  name: 'bitbucket',
  label: 'Bitbucket Service',
  description: 'Repositories of a workspace of Bitbucket, and the files in them.',
  token: {
    label: 'Bitbucket Token',
    description: 'An access token of the workspace or of a repository; with a user name an API token of that user.',
  },
  usualBase: 'https://api.bitbucket.org/2.0',
  open: openBitbucket,
});
