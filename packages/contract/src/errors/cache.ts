import { errorsOfArea } from './catalogue.ts';

/** Services that are a cache (contract/services-other.md §7). */
export const cacheErrors = errorsOfArea('cache', {
  missing: { status: 404, message: (p: { key: string }) => `No value found for key '${p.key}'.` },
  noKeyToRetrieve: { status: 400, message: 'No key/resource provide. Please provide a cache key to retrieve.' },
  noKeyToDelete: { status: 400, message: 'No key/resource provide. Please provide a cache key to delete.' },
  exists: {
    status: 400,
    message: (p: { key: string }) => `Key '${p.key}' already exists in cache. Use PUT to update existing key.`,
  },
  someExist: {
    status: 400,
    message: (p: { keys: string }) => `Nothing was stored in cache. One or more key(s) already exists (${p.keys})`,
  },
  noValue: { status: 400, message: 'No value/payload provided to store in cache.' },
  notPairs: { status: 400, message: 'Invalid payload provided. Please provide a key/value pair.' },
  badKey: {
    status: 400,
    message: (p: { limit: number }) => `A cache key has 1 to ${p.limit} bytes and no control characters.`,
  },
  tooManyKeys: { status: 400, message: (p: { limit: number }) => `At most ${p.limit} values are stored at once.` },
  valueTooLarge: {
    status: 400,
    message: (p: { key: string; limit: number }) =>
      `The value of the key '${p.key}' has more than ${p.limit} bytes as JSON, the most a cache takes.`,
  },
  badTtl: {
    status: 400,
    message: (p: { limit: number }) => `The ttl must be a whole number of minutes between 1 and ${p.limit}.`,
    hint: 'forever=true keeps a value until it is deleted.',
  },
  busy: { status: 503, message: 'Too many calls of the cache are under way. Try again in a moment.' },
  unreachable: { status: 503, message: (p: { problem: string }) => `The cache is not available: ${p.problem}.` },
  refused: { status: 502, message: (p: { text: string }) => `The cache refused the call: ${p.text}` },
});
