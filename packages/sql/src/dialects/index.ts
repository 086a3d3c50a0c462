// The engines this package speaks to, one folder each.
import { memsql } from './memsql/index.ts';
import { mysql } from './mysql/index.ts';
import { pgsql } from './pgsql/index.ts';
import { redshift } from './redshift/index.ts';
import { sqlite } from './sqlite/index.ts';

export const dialects = [sqlite, mysql, pgsql, redshift, memsql] as const;
