// A directory that nobody is at, for the tests that call every type.
import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = {
  needsServer: true,
  prepare: async () => ({
    config: { host: '127.0.0.1:9', base_dn: 'dc=example,dc=com', username: 'reader', password: 'a password' },
  }),
};
