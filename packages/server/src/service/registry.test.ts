import { configField } from '@sluice/contract';
import { expect, it } from 'vitest';
import { answer, type Call } from '../call/call.ts';
import { routesOf } from './operation.ts';
import { createServiceRegistry, type RegistryParts, type ServiceRow } from './registry.ts';
import { type OpenService, type ServiceType, serviceType } from './service.ts';

const aRow = (id: number, database: string): ServiceRow => ({
  id,
  key: `s${id}`,
  name: `S${id}`,
  label: '',
  description: null,
  type: 'thing',
  isActive: true,
  config: { database },
});

interface OpenThing extends OpenService {
  path: string;
}

/** A registry over `rows`, and what was opened and closed, by configuration. */
function registry(rows: { list: ServiceRow[] }) {
  const log: string[] = [];
  const handle = (_call: Call, _values: object, { path }: { path: string }) => answer(path);
  const thing = serviceType({
    name: 'thing',
    label: 'Thing',
    description: '',
    group: 'Database',
    can: {},
    config: { database: configField.string({ label: 'Database' }) },
    routes: [routesOf<OpenThing>()('', { GET: { summary: 'What was opened', answer: 'object', handle } })],
    open({ database }): OpenThing {
      log.push(`open ${database}`);
      return { path: String(database), close: async () => void log.push(`close ${database}`) };
    },
  }) as ServiceType;
  const load = async () => {
    log.push('load');
    return structuredClone(rows.list);
  };
  const services = createServiceRegistry({
    types: [thing],
    load,
    context: ((row: object) => row) as RegistryParts['context'],
  });
  const call = async (key: string) => (await (await services.open(key)).handle({ verb: 'GET', path: '' } as Call)).body;
  const takeLog = () => log.splice(0);
  return { services, call, told: takeLog };
}

it('opens a service once, and again after a change of its row', async () => {
  const rows = { list: [aRow(1, 'a'), aRow(2, 'b')] };
  const { services, call, told } = registry(rows);
  await call('s1');
  await call('s2');
  await call('s1');
  expect(told()).toEqual(['load', 'open a', 'open b']);
  rows.list = [aRow(1, 'c'), aRow(2, 'b')];
  await services.invalidate([1]);
  expect(told()).toEqual(['close a']);
  expect(await call('s1')).toEqual({ value: 'c' });
  await call('s2');
  expect(told()).toEqual(['load', 'open c']);
});

it('closes what did change, and nothing else, when anything may have', async () => {
  const rows = { list: [aRow(1, 'a'), aRow(2, 'b'), aRow(3, 'c')] };
  const { services, call, told } = registry(rows);
  for (const key of ['s1', 's2', 's3']) await call(key);
  told();
  await services.invalidate();
  for (const key of ['s1', 's2', 's3']) await call(key);
  expect(told()).toEqual(['load']);
  rows.list = [aRow(1, 'a'), aRow(2, 'B')];
  await services.invalidate();
  expect(await call('s1')).toEqual({ value: 'a' });
  expect(await call('s2')).toEqual({ value: 'B' });
  await expect(call('s3')).rejects.toMatchObject({ status: 404 });
  expect(told().sort()).toEqual(['close b', 'close c', 'load', 'open B']);
});

it('opens by the newest rows a service that was asked for while they changed', async () => {
  const rows = { list: [aRow(1, 'old')] };
  const { services, call } = registry(rows);
  const early = call('s1');
  rows.list = [aRow(1, 'new')];
  await services.invalidate();
  await early;
  expect(await call('s1')).toEqual({ value: 'new' });
  expect(await call('s1')).toEqual({ value: 'new' });
});
