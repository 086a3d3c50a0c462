import { errorsOfArea } from './catalogue.ts';

/** Files that the server fetches from an address of a caller (contract/files.md §3). */
export const fetchErrors = errorsOfArea('fetch', {
  badAddress: {
    status: 400,
    message: 'The URL is not valid: it must begin with http:// or https:// and name a server.',
  },
  // It says nothing of what was found under a name.
  refused: {
    status: 400,
    message: 'The URL leads to an address that this server does not fetch from.',
    hint: 'Private networks are only reached where SLUICE_FETCH_PRIVATE names them.',
  },
  notFound: { status: 404, message: 'Invalid URL entered. File not found.' },
  tooLarge: {
    status: 413,
    message: (p: { limit: number }) => `The file of the URL has more than ${p.limit} bytes, the most that is accepted.`,
  },
  failed: { status: 500, message: (p: { problem: string }) => `Could not read the file: ${p.problem}.` },
});
