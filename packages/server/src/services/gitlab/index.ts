// Repositories of a namespace of GitLab, of gitlab.com or of a server of one's own.
import { fail, configField as field } from '@sluice/contract';
import { baseOf, checkAccount, checkBase, checkToken, trimmed } from '../../repositories/config.ts';
import { repositoryType } from '../../repositories/index.ts';
import { openGitlab } from './gitlab.ts';

/** Repositories of a namespace of GitLab. */
export const gitlab = repositoryType({
  name: 'gitlab',
  label: 'GitLab Service',
  description: 'Repositories of a namespace of GitLab, and the files in them.',
  config: {
    base_url: field.string({
      label: 'Base URL',
      description: 'Address of the server, as https://gitlab.com.',
      required: true,
      destination: true,
    }),
    namespace: field.string({
      label: 'Namespace/Group',
      description: 'The group or user whose repositories are shown. Blank: who the token is of.',
    }),
    token: field.secret({
      label: 'GitLab Token',
      description: 'An access token that may read the API and the repositories.',
      required: true,
    }),
  },
  check({ base_url, namespace, token }) {
    checkBase(base_url);
    checkAccount(namespace, 'namespace', 'several');
    checkToken(token);
  },
  address: ({ base_url }) => (URL.canParse(trimmed(base_url)) ? new URL(trimmed(base_url)).host : undefined),
  open({ base_url, namespace, token }) {
    if (trimmed(base_url) === '') throw fail('repository.noBaseUrl');
    if (trimmed(token) === '') throw fail('repository.noToken');
    checkAccount(namespace, 'namespace', 'several');
    checkToken(token);
    return openGitlab({ base: baseOf(base_url), namespace: trimmed(namespace), token: trimmed(token) });
  },
});
