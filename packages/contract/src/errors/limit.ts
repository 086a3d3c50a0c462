import { errorsOfArea } from './catalogue.ts';

interface OfLimit {
  name: string;
}

/** Limits: what of one is refused, and calls that one refuses (contract/limits.md). */
export const limitErrors = errorsOfArea('limit', {
  exceeded: {
    status: 429,
    message: 'API limit(s) exceeded. ',
    hint: 'Wait as long as Retry-After says; `context` names the limits.',
  },
  uncounted: {
    status: 503,
    message: 'The store of counters is out of reach, and a limit concerns this call. Please try again in a moment.',
    hint: 'SLUICE_LIMITS_AWAY decides whether such calls are refused.',
  },
  needsUser: {
    status: 400,
    message: (p: OfLimit) => `user_id must be specified with this limit type. Limit: ${p.name}`,
  },
  needsRole: {
    status: 400,
    message: (p: OfLimit) => `role_id must be specified with this limit type. Limit: ${p.name}`,
  },
  needsService: { status: 400, message: 'service_id must be specified with this limit type.' },
  needsEndpoint: { status: 400, message: 'endpoint must be specified with this limit type.' },
  userUnknown: { status: 400, message: (p: OfLimit) => `user_id does not exist for ${p.name} limit.` },
  noUser: { status: 400, message: (p: OfLimit) => `No user_id exists for ${p.name} limit.` },
  noRole: { status: 400, message: (p: OfLimit) => `No role_id exists for ${p.name} limit.` },
  noService: { status: 400, message: (p: OfLimit) => `No service exists for ${p.name} limit.` },
  rate: { status: 400, message: 'Limit rate must be an integer. Limit not saved.' },
  verb: { status: 400, message: 'Verb is invalid or not allowed.' },
  exists: { status: 400, message: 'A limit already exists with those parameters. No records added.' },
});
