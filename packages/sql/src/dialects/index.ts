// The engines this package speaks to, one folder each.
import { sqlite } from './sqlite/index.ts';

export const dialects = [sqlite] as const;
