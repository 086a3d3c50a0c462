import { join } from 'node:path';
import type { Settings } from '../../settings/index.ts';

/** Where packages are while a call works on them: files without a name, which end with the process. */
export const temporaryFolder = ({ data }: Pick<Settings, 'data'>): string => join(data, 'temporary');
