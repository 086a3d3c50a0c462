import type { ServiceExample } from '../example.fixture.ts';

export const example: ServiceExample = { values: { key: 'made' }, prepare: async () => ({ config: {} }) };
