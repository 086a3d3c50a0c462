import { errorsOfArea } from './catalogue.ts';

/** Directories: signing in by one, and what it holds (contract/services-other.md §8). */
export const directoryErrors = errorsOfArea('directory', {
  unreachable: { status: 503, message: (p: { problem: string }) => `The directory is not available: ${p.problem}.` },
  noCredentials: { status: 400, message: 'No username and/or password provided.' },
  credentials: { status: 401, message: 'Invalid username and password provided.' },
  noAccount: { status: 400, message: 'No username and/or password found in service definition.' },
  badAccount: {
    status: 401,
    message: 'Invalid credentials in service definition. Cannot authenticate against the Active Directory server.',
  },
  badFilter: { status: 400, message: (p: { problem: string }) => `The filter cannot be used: ${p.problem}.` },
  badAttribute: { status: 400, message: (p: { name: string }) => `An attribute cannot be called "${p.name}".` },
  tooMany: {
    status: 400,
    message: (p: { limit: number }) => `More than ${p.limit} entries of the directory match.`,
    hint: 'Narrow them with a filter.',
  },
  busy: { status: 503, message: 'Too many calls of the directory are under way. Try again in a moment.' },
});
