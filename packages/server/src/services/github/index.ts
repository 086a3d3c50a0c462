// Repositories of an account of GitHub, or of a GitHub Enterprise Server.
import {
  accountFields,
  baseOf,
  checkAccount,
  checkBase,
  checkToken,
  requireVendor,
} from '../../repositories/config.ts';
import { repositoryType } from '../../repositories/index.ts';
import { openGithub } from './github.ts';

const usualBase = 'https://api.github.com';

/** Repositories of an account of GitHub. */
export const github = repositoryType({
  name: 'github',
  label: 'GitHub Service',
  description: 'Repositories of an account of GitHub, and the files in them.',
  config: accountFields(
    { label: 'GitHub Token', description: 'A personal access token that may read the contents of the repositories.' },
    usualBase,
  ),
  check({ vendor, token, base_url }) {
    checkAccount(vendor, 'vendor');
    checkBase(base_url);
    checkToken(token);
  },
  address: ({ base_url }) => new URL(baseOf(base_url, usualBase)).host,
  open: (config) =>
    openGithub({ ...config, vendor: requireVendor(config.vendor), base: baseOf(config.base_url, usualBase) }),
});
