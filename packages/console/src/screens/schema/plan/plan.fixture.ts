// For the tests of plans: what a server tells of a change.
import type { PlannedTable } from '@sluice/contract';
import type { FakeResponse } from '../../../api/testing.ts';
import type { Usage } from './usage.ts';

export const aPlannedTable = (changes: Partial<PlannedTable> = {}): PlannedTable => ({
  name: 'thing',
  new_name: null,
  statements: [],
  undo: 'transaction',
  misfits: [],
  losses: [],
  used_by: [],
  ...changes,
});

export const aUsage = (changes: Partial<Usage> = {}): Usage => ({
  kind: 'role',
  id: 4,
  name: 'reader',
  detail: "Row '_table/thing' is for the table.",
  onRename: 'follows',
  onDrop: 'stays',
  field: null,
  ...changes,
});

export const planOf = (...tables: Partial<PlannedTable>[]): FakeResponse => ({
  body: { resource: tables.map(aPlannedTable) },
});

let services = 0;

/** A service no test has asked yet: whether one has plans is remembered as long as the page is open. */
export const aService = (): string => `shop-${++services}`;
