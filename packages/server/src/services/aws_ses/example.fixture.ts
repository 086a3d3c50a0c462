import type { ServiceExample } from '../example.fixture.ts';

/** Calls without a recipient do not reach the provider. */
export const example: ServiceExample = {
  prepare: async () => ({ config: { key: 'id', secret: 'secret', region: 'eu-west-1' } }),
};
