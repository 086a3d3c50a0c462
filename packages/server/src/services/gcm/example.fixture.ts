import type { ServiceExample } from '../example.fixture.ts';

/** Calls without an app do not reach Google. */
export const example: ServiceExample = { prepare: async () => ({ config: { api_key: 'key', environment: 'dev' } }) };
