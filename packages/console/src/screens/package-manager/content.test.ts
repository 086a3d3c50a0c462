import { describe, expect, it } from 'vitest';
import { missingCompanions } from './companions.ts';
import { addAll, addItems, appFolders, type ContentRow, hasAllOf, serviceMap } from './content.ts';
import { findItems, placesOf } from './manifest.ts';

const services = [
  { id: 1, name: 'system', label: 'System Management', type: 'system' },
  { id: 5, name: 'shop', label: 'The shop', type: 'mysql' },
  { id: 6, name: 'files', label: 'Local files', type: 'local_file' },
  { id: 7, name: 'archive', label: 'Archive', type: 'pgsql' },
  { id: 8, name: 'mail', label: 'Mail', type: 'smtp_email' },
];
const types = [
  { name: 'system', label: 'System', group: 'System' },
  { name: 'mysql', label: 'MySQL', group: 'Database' },
  { name: 'pgsql', label: 'PostgreSQL', group: 'Database' },
  { name: 'local_file', label: 'Local File Storage', group: 'File' },
  { name: 'smtp_email', label: 'SMTP', group: 'Email' },
];
const manifest = {
  service: {
    system: {
      role: ['Guest', 'Clerk'],
      service: ['shop', 'files'],
      app: ['till'],
      user: [{ username: null, email: 'ada@example.com', first_name: 'Ada', last_name: null }, { email: '' }],
      cors: [1],
    },
    shop: { reachable: true, _schema: ['product', 'sale'], _table: ['product', 'sale'] },
    files: ['docs/', 'docs/a.txt', 'a.txt', '/'],
    archive: { reachable: false },
    mail: { reachable: false },
    constructor: ['x/'],
  },
};
const places = placesOf(manifest, services, types);
const place = (name: string) => places.find((one) => one.name === name)!;
const system = (name: string) => ({ kind: 'system', name }) as const;
const shop = { kind: 'database', name: 'shop' } as const;

describe('a manifest', () => {
  it('is places: resources of the system, databases, file services; others have nothing to export', () => {
    expect(places.map(({ typeLabel, name, isAvailable }) => [typeLabel, name, isAvailable])).toEqual([
      ['System', 'role', true],
      ['System', 'service', true],
      ['System', 'app', true],
      ['System', 'user', true],
      ['System', 'cors', true],
      ['MySQL Schema', 'shop', true],
      ['Local File Storage', 'files', true],
      ['PostgreSQL Schema', 'archive', false],
      ['constructor', 'constructor', true],
    ]);
  });

  it('names people by their address, and lists what has a folder of file services', () => {
    expect(place('user').items).toEqual([{ id: 'ada@example.com', label: 'ada@example.com Ada' }]);
    expect(place('cors').items).toEqual([{ id: 1, label: '1' }]);
    expect(place('files').items.map(({ id }) => id)).toEqual(['docs/', 'docs/a.txt']);
    expect(findItems(place('role').items, ' cle').map(({ id }) => id)).toEqual(['Clerk']);
  });
});

describe('the content', () => {
  it('has an item once, and all of a place in one row', () => {
    let rows = addItems([], shop, ['product']);
    rows = addItems(rows, shop, ['product', 'sale'], true);
    expect(rows).toEqual([
      { ...shop, item: 'product', withRecords: true },
      { ...shop, item: 'sale', withRecords: true },
    ]);
    rows = addAll(addItems(rows, system('role'), ['Guest']), shop);
    expect(rows.map(({ name, item }) => [name, item])).toEqual([
      ['role', 'Guest'],
      ['shop', null],
    ]);
    expect([hasAllOf(rows, shop), hasAllOf(rows, system('role'))]).toEqual([true, false]);
  });

  it('is the service map of an export', () => {
    let rows = addAll([], system('role'));
    rows = addItems(rows, system('user'), ['ada@example.com']);
    rows = addItems(rows, shop, ['product']);
    rows = addItems(rows, shop, ['sale'], true);
    rows = addItems(rows, { kind: 'files', name: 'files' }, ['docs/', 'apps/till/']);
    expect(serviceMap(rows, places)).toEqual({
      system: { role: ['Guest', 'Clerk'], user: ['ada@example.com'] },
      shop: { _schema: ['product', 'sale'], _table: ['sale'] },
      files: ['docs/', 'apps/till/'],
    });
    expect(serviceMap(addItems([], shop, ['product']), places)).toEqual({ shop: { _schema: ['product'] } });
  });
});

const apps = [
  { name: 'till', storage_service_id: 6, storage_container: '/apps/till/', role_by_role_id: { name: 'Clerk' } },
  { name: 'plain', storage_service_id: null, storage_container: null },
];
const serviceNames = new Map(services.map(({ id, name }) => [id, name]));

it('an app has its folder', () => {
  expect(appFolders(['till', 'plain'], apps, serviceNames)).toEqual([{ service: 'files', folder: 'apps/till/' }]);
});

describe('what goes with the content', () => {
  const roles = [{ name: 'Clerk', services: ['shop', 'system', 'gone'] }];
  const missing = (rows: readonly ContentRow[]) =>
    missingCompanions(rows, places, { roles, apps, serviceNames }).map(({ resource, name, neededBy }) => [
      `${resource} ${name}`,
      neededBy.map(({ kind, name: by }) => `${kind} ${by}`),
    ]);

  it('is the services of a role, the role of an app, the services of tables and files; not what each instance has', () => {
    expect(missing([])).toEqual([]);
    expect(missing(addItems([], system('role'), ['Clerk']))).toEqual([['service shop', ['role Clerk']]]);
    expect(missing(addAll([], system('app')))).toEqual([['role Clerk', ['app till']]]);
    const rows = addItems(addAll([], shop), system('role'), ['Clerk']);
    expect(missing(rows)).toEqual([['service shop', ['role Clerk', 'tables shop']]]);
  });

  it('is missing no more once it is in the content', () => {
    const rows = addItems([], system('role'), ['Clerk']);
    expect(missing(addItems(rows, system('service'), ['shop']))).toEqual([]);
    expect(missing(addAll(rows, system('service')))).toEqual([]);
  });
});
