import { errorsOfArea } from './catalogue.ts';

/** The platform's own store out of reach. Callers learn no more than that; the log has the engine's words. */
export const storeErrors = errorsOfArea('store', {
  unavailable: {
    status: 503,
    message: 'The store of this platform does not answer. Please try again in a moment.',
  },
  busy: {
    status: 503,
    message: 'The store of this platform is busy with other writes. Please try again in a moment.',
  },
  timeout: {
    status: 503,
    message: 'The store of this platform took too long and was stopped.',
    hint: 'Ask for fewer records or narrow the filter; SLUICE_QUERY_TIMEOUT is the limit.',
  },
  full: {
    status: 507,
    message: 'The disk that holds the store of this platform is full. Nothing was written.',
  },
});
