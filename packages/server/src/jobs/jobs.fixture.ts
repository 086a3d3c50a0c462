// Jobs for tests of parts that need them.
import { createSecrets } from '../identity/keys.ts';
import type { Store } from '../store/index.ts';
import { createJobs, type JobParts } from './index.ts';

export const testJobs = (store: Store, log: JobParts['log'] = { warn() {} }) =>
  createJobs({ store, secrets: createSecrets(Buffer.alloc(32, 7)), log });
