import type { ServiceExample } from '../example.fixture.ts';

/** Calls without a recipient do not reach the server. */
export const example: ServiceExample = {
  prepare: async () => ({ config: { host: '127.0.0.1', port: '9' } }),
};
