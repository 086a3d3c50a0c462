import { selfSignedPair } from '@sluice/testkit/mail-server';
import type { ServiceExample } from '../example.fixture.ts';

/** Calls without an app do not reach Apple. */
export const example: ServiceExample = {
  prepare: async () => {
    const { key, cert } = selfSignedPair();
    return { config: { certificate: `${cert}\n${key}`, environment: 'dev' } };
  },
};
