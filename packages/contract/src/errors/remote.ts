import { errorsOfArea } from './catalogue.ts';

/** Remote web services (contract/services-other.md §2). */
export const remoteErrors = errorsOfArea('remote', {
  noAddress: {
    status: 500,
    message: 'Remote Web Service base url can not be empty.',
    hint: 'Services › Config has the base URL; a definition with a server of its own does, too.',
  },
  badOption: {
    status: 500,
    message: (p: { name: string }) => `Invalid configuration: ${p.name} is not a defined option.`,
    hint: 'docs/contract/services-other.md lists the options of curl that HTTP services take.',
  },
  badPath: {
    status: 400,
    message: 'The path has a part that is empty or leads up, or the address is too long.',
  },
  badHeader: {
    status: 500,
    message: (p: { name: string }) => `The header ${p.name} has a value that cannot be sent.`,
    hint: 'A lookup key may have put a line break into it.',
  },
  // The words and the status are those of the remote service.
  refused: { status: 502, message: (p: { text: string }) => p.text },
  unreachable: {
    status: 503,
    message: (p: { problem: string }) => `The remote service is not available: ${p.problem}.`,
  },
  timeout: {
    status: 504,
    message: (p: { problem: string }) => `The remote service did not answer in time: ${p.problem}.`,
  },
  tooLarge: {
    status: 502,
    message: (p: { limit: number }) =>
      `The remote service sent more than ${p.limit} bytes, the most that is converted or searched for links.`,
    hint: 'An answer that goes out as it comes may be of any length: accept the type that the service sends.',
  },
  loop: {
    status: 508,
    message: (p: { limit: number }) => `The call passed more than ${p.limit} instances: it leads to itself.`,
    hint: 'Look at the base URL of the service.',
  },
  busy: { status: 503, message: 'Too many calls of the remote service are under way. Try again in a moment.' },
});
