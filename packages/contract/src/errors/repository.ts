import { errorsOfArea } from './catalogue.ts';

/** Services that show repositories of a code host (contract/services-other.md §6). */
export const repositoryErrors = errorsOfArea('repository', {
  noVendor: { status: 500, message: 'No account/organization name provided for GitHub client.' },
  noBaseUrl: { status: 500, message: 'No base url provided for GitLab client.' },
  noToken: { status: 500, message: 'No token provided for GitLab client.' },
  badName: {
    status: 400,
    message: 'The name of a repository has letters, digits, dots, underscores and dashes.',
  },
  badPath: { status: 400, message: 'A path in a repository has names between slashes, and none that leads up.' },
  badReference: { status: 400, message: 'The branch or tag must be the name of one.' },
  refused: { status: 502, message: (p: { text: string }) => p.text },
  refusedSilently: {
    status: 502,
    message: (p: { status: number }) => `The code host answered with the status ${p.status}.`,
  },
  busy: { status: 503, message: 'Too many calls of the code host are under way. Try again in a moment.' },
  unreachable: {
    status: 503,
    message: (p: { problem: string }) => `The code host is not available: ${p.problem}.`,
  },
  oddAnswer: {
    status: 502,
    message: (p: { problem: string }) => `The code host sent an answer that cannot be used: ${p.problem}.`,
  },
  tooLarge: {
    status: 413,
    message: (p: { limit: number }) => `The code host sent more than ${p.limit} bytes, the most that is read.`,
    hint: 'Of a file, content=1 reads more than its description holds.',
  },
});
