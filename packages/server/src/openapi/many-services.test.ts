// Many services are read for one document, or for the tools of an agent: a few at once, and one that hangs holds up no other for long.
import { afterEach, expect, it, vi } from 'vitest';
import type { ServiceRow } from '../service/registry.ts';
import { type DocumentedServices, readServices } from './index.ts';

afterEach(() => vi.useRealTimers());

const rows = Array.from(
  { length: 200 },
  (_, id) => ({ id, key: `s${id}`, name: `s${id}`, type: 'sqlite' }) as ServiceRow,
);
const operations = [{ items: { resource: '_table', placeholder: 'table_name' } }];
const opened = { itemNames: async () => ['a'], describeItems: async () => undefined };

/** Services that open as `open` has it; what else a document needs of them is the same for all. */
const servicesThat = (open: (key: string) => Promise<void>): DocumentedServices =>
  ({
    rows: async () => rows,
    type: () => ({ routes: { operations, match: () => undefined } }),
    open: (key: string) => open(key).then(() => opened),
    of: () => undefined,
  }) as never;

it('abuse: of hundreds of services a few are opened at once, in the order of the list', async () => {
  let [current, highest] = [0, 0];
  const services = servicesThat(async () => {
    current += 1;
    highest = Math.max(highest, current);
    await new Promise((resolve) => setImmediate(resolve));
    current -= 1;
  });
  const read = await readServices(services, rows, { refresh: false });
  expect(highest).toBe(4);
  expect(read.map(({ row }) => row.key)).toEqual(rows.map(({ key }) => key));
  expect(read.every(({ isUnread, items }) => !isUnread && items.names._table?.length === 1)).toBe(true);
});

it('abuse: services that never open are left out, and all others are read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hangs = (key: string) => Number(key.slice(1)) < 40;
  const services = servicesThat((key) => (hangs(key) ? new Promise(() => {}) : Promise.resolve()));
  const reading = readServices(services, rows, { refresh: false });
  // Ten times four that hang let the others begin after a tenth of a second each; none waits for five seconds after that.
  await vi.advanceTimersByTimeAsync(7_000);
  const read = await reading;
  expect(read.filter(({ isUnread }) => isUnread).map(({ row }) => row.key)).toEqual(
    rows.slice(0, 40).map(({ key }) => key),
  );
});
