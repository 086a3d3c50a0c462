import type { AppUse, ServiceUse } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { databaseOf, hourBars, inOrderOfUse, stepsOf, unusedKeys } from './facts.ts';
import { helpLinks } from './help-links.ts';

describe('help pages', () => {
  const translate = (name: string) => name.toUpperCase();

  it('are the four of the documents, where an operator set them (HOM-001, HOM-002)', () => {
    const links = Object.fromEntries(
      ['download', 'resources', 'quickstart', 'welcome'].map((name) => [name, `https://example.com/${name}`]),
    );
    expect(helpLinks(undefined, links, translate)).toEqual([
      { name: 'welcome', label: 'WELCOME', href: 'https://example.com/welcome' },
      { name: 'quickstart', label: 'QUICKSTART', href: 'https://example.com/quickstart' },
      { name: 'resources', label: 'RESOURCES', href: 'https://example.com/resources' },
      { name: 'download', label: 'DOWNLOAD', href: 'https://example.com/download' },
    ]);
    const some = helpLinks(undefined, { ...links, quickstart: null, resources: '' }, translate);
    expect(some.map(({ name }) => name)).toEqual(['welcome', 'download']);
    expect(helpLinks(undefined, {}, translate)).toEqual([]);
  });

  it('are replaced by those of the instance; a label defaults to the name (HOM-003, HOM-004)', () => {
    const own = [
      { name: 'intro', href: 'https://example.com/i' },
      { name: 'more', label: 'More', href: 'https://example.com/m' },
      { name: 'evil', href: 'javascript:alert(1)' },
    ];
    expect(helpLinks(own, { welcome: 'https://example.com/w' }, translate)).toEqual([
      { name: 'intro', label: 'intro', href: 'https://example.com/i' },
      { name: 'more', label: 'More', href: 'https://example.com/m' },
    ]);
  });
});

const types = [
  { name: 'sqlite', label: 'SQLite', group: 'Database' },
  { name: 'system', label: 'System', group: 'System' },
];
const service = (id: number, name: string, type = 'sqlite', is_active = true) => ({
  id,
  name,
  label: name,
  type,
  is_active,
});
const serviceUse = (id: number, more: Partial<ServiceUse> = {}): ServiceUse => ({
  id,
  name: `s${id}`,
  calls: 0,
  failures: 0,
  last_call: null,
  hours: [],
  ...more,
});
const key = (id: number, more: Partial<AppUse> = {}): AppUse => ({
  id,
  name: `k${id}`,
  is_active: true,
  created_date: '2026-01-01T00:00:00.000Z',
  last_used: null,
  calls: 0,
  ...more,
});
const seeded = [service(1, 'system', 'system'), service(5, 'db')];

describe('the steps', () => {
  const done = (facts: Partial<Parameters<typeof stepsOf>[0]>) =>
    stepsOf({ services: seeded, types, serviceUse: [], keyUse: [key(1, { calls: 9 })], ...facts })
      .filter(({ isDone }) => isDone)
      .map(({ name }) => name);

  it('are all to be done on a new instance, whatever the console called', () => {
    expect(done({ serviceUse: [serviceUse(1, { calls: 99, last_call: 'x' })] })).toEqual([]);
  });

  it('are ticked by a database of one’s own, an answer of it, a key and a call with it', () => {
    const services = [...seeded, service(8, 'shop')];
    expect(done({ services })).toEqual(['connect']);
    expect(done({ services, serviceUse: [serviceUse(8, { calls: 2, failures: 2 })] })).toEqual(['connect']);
    expect(done({ services, serviceUse: [serviceUse(8, { calls: 2, failures: 1 })] })).toEqual(['connect', 'data']);
    expect(done({ services, serviceUse: [serviceUse(8, { last_call: '2026-01-01T00:00:00.000Z' })] })).toContain(
      'data',
    );
    expect(done({ services, keyUse: [key(1), key(4)] })).toEqual(['connect', 'key']);
    expect(done({ services, keyUse: [key(1), key(4, { calls: 1 })] })).toEqual(['connect', 'key', 'call']);
  });

  it('take the database that comes with the instance for connected once it answered', () => {
    expect(done({ serviceUse: [serviceUse(5, { calls: 1 })] })).toEqual(['connect', 'data']);
  });

  it('speak of the database that was connected', () => {
    expect(databaseOf(seeded, types)?.name).toBe('db');
    expect(databaseOf([...seeded, service(8, 'off', 'sqlite', false), service(9, 'shop')], types)?.name).toBe('shop');
  });
});

it('services stand by their calls, those of the instance itself at the end', () => {
  const services = [...seeded, service(8, 'shop'), service(9, 'busy')];
  const calls = new Map([
    [1, 500],
    [9, 7],
  ]);
  expect(inOrderOfUse(services, types, (id) => calls.get(id) ?? 0).map(({ name }) => name)).toEqual([
    'busy',
    'db',
    'shop',
    'system',
  ]);
});

it('keys are unused after 30 days without a call, the console’s, inactive and new ones never', () => {
  const now = Date.parse('2026-03-01T00:00:00.000Z');
  const keys = [
    key(1),
    key(4, { last_used: '2026-01-20T00:00:00.000Z' }),
    key(5),
    key(6, { last_used: '2026-02-20T00:00:00.000Z' }),
    key(7, { created_date: '2026-02-20T00:00:00.000Z' }),
    key(8, { is_active: false }),
  ];
  expect(unusedKeys(keys, now).map(({ id }) => id)).toEqual([5, 4]);
});

it('a day has 24 bars, hours without calls among them', () => {
  const bars = hourBars(
    [
      { hour: '2026-01-01T12:00:00.000Z', calls: 3, failures: 1 },
      { hour: '2025-12-31T13:00:00.000Z', calls: 2, failures: 0 },
      { hour: '2025-12-31T12:00:00.000Z', calls: 9, failures: 9 },
    ],
    Date.parse('2026-01-01T12:34:00.000Z'),
  );
  expect(bars.map(({ calls }) => calls)).toEqual([2, ...Array(22).fill(0), 3]);
  expect(bars[23]).toEqual({ start: Date.parse('2026-01-01T12:00:00.000Z'), calls: 3, failures: 1 });
});
