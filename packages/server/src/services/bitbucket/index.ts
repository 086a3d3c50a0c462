// Repositories of a workspace of Bitbucket Cloud.
import {
  accountFields,
  baseOf,
  checkAccount,
  checkBase,
  checkToken,
  requireVendor,
} from '../../repositories/config.ts';
import { repositoryType } from '../../repositories/index.ts';
import { openBitbucket } from './bitbucket.ts';

const usualBase = 'https://api.bitbucket.org/2.0';

/** Repositories of a workspace of Bitbucket. */
export const bitbucket = repositoryType({
  name: 'bitbucket',
  label: 'Bitbucket Service',
  description: 'Repositories of a workspace of Bitbucket, and the files in them.',
  config: accountFields(
    {
      label: 'Bitbucket Token',
      description: 'An access token of the workspace or of a repository; with a user name an API token of that user.',
    },
    usualBase,
  ),
  check({ vendor, token, base_url }) {
    checkAccount(vendor, 'vendor');
    checkBase(base_url);
    checkToken(token);
  },
  address: ({ base_url }) => new URL(baseOf(base_url, usualBase)).host,
  open: (config) =>
    openBitbucket({ ...config, vendor: requireVendor(config.vendor), base: baseOf(config.base_url, usualBase) }),
});
