// The engines this package speaks to, one folder each.
import { mysql } from './mysql/index.ts';
import { pgsql } from './pgsql/index.ts';
import { sqlite } from './sqlite/index.ts';

export const dialects = [sqlite, mysql, pgsql] as const;
