// Types of code hosts at which an account has the repositories: GitHub and Bitbucket.
import type { ConfigOf } from '@sluice/contract';
import type { ServiceType } from '../service/service.ts';
import type { CodeHost } from './code-host.ts';
import { accountFields, baseOf, checkAccount, checkBase, checkToken, requireVendor } from './config.ts';
import { repositoryType } from './index.ts';

type AccountFields = ReturnType<typeof accountFields>;

interface AccountTypeDefinition {
  name: string;
  label: string;
  description: string;
  /** How the host calls its tokens. */
  token: { label: string; description: string };
  /** Where its API is, where no other is named. */
  usualBase: string;
  open(config: ConfigOf<AccountFields> & { vendor: string; base: string }): CodeHost;
}

/** Declares such a type of service. */
export const accountType = ({ token, usualBase, open, ...facts }: AccountTypeDefinition): ServiceType<AccountFields> =>
  repositoryType({
    ...facts,
    config: accountFields(token, usualBase),
    check({ vendor, token: sent, base_url }) {
      checkAccount(vendor, 'vendor');
      checkBase(base_url);
      checkToken(sent);
    },
    address: ({ base_url }) => new URL(baseOf(base_url, usualBase)).host,
    open: (config) =>
      open({ ...config, vendor: requireVendor(config.vendor), base: baseOf(config.base_url, usualBase) }),
  });
