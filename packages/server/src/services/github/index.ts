// Repositories of an account of GitHub, or of a GitHub Enterprise Server.
import { accountType } from '../../repositories/account-type.ts';
import { openGithub } from './github.ts';

/** Repositories of an account of GitHub. */
export const github = accountType({
  name: 'github',
  label: 'GitHub Service',
  description: 'Repositories of an account of GitHub, and the files in them.',
  token: {
    label: 'GitHub Token',
    description: 'A personal access token that may read the contents of the repositories.',
  },
  usualBase: 'https://api.github.com',
  open: openGithub,
});
