// The store of an instance, looked into and changed beside it.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Instance } from './instance.ts';

/** Opens the file of the store; while the instance writes, it waits. */
export const openStore = ({ dataFolder }: Instance): DatabaseSync =>
  new DatabaseSync(join(dataFolder, 'sluice.sqlite'), { timeout: 10_000 });
