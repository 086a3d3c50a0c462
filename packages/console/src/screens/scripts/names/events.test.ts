import { describe, expect, it } from 'vitest';
import { callPath, countScripts, type EventTree, nameProblem, placeFinder, readName, scriptNames } from './events.ts';

const endpointsOf = (base: string, verbs = ['get', 'post']) =>
  verbs.flatMap((verb) => ['', '.pre_process', '.post_process', '.queued'].map((step) => `${base}.${verb}${step}`));

const tree: EventTree = {
  db: { type: 'api', endpoints: endpointsOf('db', ['get']), parameter: null },
  'db._table': { type: 'api', endpoints: endpointsOf('db._table', ['get']), parameter: null },
  'db._table.{table_name}': {
    type: 'api',
    endpoints: endpointsOf('db._table.{table_name}'),
    parameter: { table_name: ['Contact', 'public.todo', '$&'] },
  },
  'db._table.{table_name}.{id}': {
    type: 'api',
    endpoints: endpointsOf('db._table.{table_name}.{id}'),
    parameter: { table_name: ['Contact', 'public.todo', '$&'] },
  },
};

describe('names of scripts', () => {
  it.each([
    ['db.get', { base: 'db', verb: 'GET', step: 'event' }],
    ['db._table.contact.delete.pre_process', { base: 'db._table.contact', verb: 'DELETE', step: 'pre_process' }],
    ['db._table.{table_name}.{id}.put.Queued', { base: 'db._table.{table_name}.{id}', verb: 'PUT', step: 'queued' }],
    ['system.limit.7.exceeded', { base: 'system.limit.7.exceeded', verb: null, step: 'event' }],
    ['get', { base: 'get', verb: null, step: 'event' }],
  ])('%s', (name, parts) => expect(readName(name)).toEqual(parts));

  it('are the endpoint and one for each value of its placeholder (SCR-013)', () => {
    const names = scriptNames('db._table.{table_name}.{id}.get', tree['db._table.{table_name}.{id}']!);
    expect(names.map(({ name }) => name)).toEqual([
      'db._table.{table_name}.{id}.get',
      'db._table.Contact.{id}.get',
      'db._table.public.todo.{id}.get',
      'db._table.$&.{id}.get',
    ]);
    expect(scriptNames('db.get', tree.db!)).toEqual([{ name: 'db.get', value: null }]);
  });

  it('are found in the tree, in any letter case and with dots in values', () => {
    const placeOf = placeFinder(tree);
    expect(placeOf('DB.get.pre_process')).toEqual({ resource: 'db', endpoint: 'db.get.pre_process' });
    expect(placeOf('db._table.contact.{id}.get')?.resource).toBe('db._table.{table_name}.{id}');
    expect(placeOf('db._table.public.todo.get')?.resource).toBe('db._table.{table_name}');
    // A table that is gone.
    expect(placeOf('db._table.gone.post.queued')?.endpoint).toBe('db._table.{table_name}.post.queued');
    expect(placeOf('db._proc.x.get')).toBeNull();
    expect(placeOf('db._table..get')).toBeNull();
  });

  it('are counted at each level; those of no endpoint are others', () => {
    const { resources, endpoints, others } = countScripts(tree, [
      'db._table.contact.get',
      'db._table.{table_name}.get',
      'db.get',
      'db.custom',
    ]);
    expect([...resources]).toEqual([
      ['db._table.{table_name}', 2],
      ['db', 1],
    ]);
    expect(endpoints.get('db._table.{table_name}.get')).toBe(2);
    expect(others).toEqual(['db.custom']);
  });

  it('that servers refuse are known before', () => {
    expect(['', 'a b.get', 'a/b.get', `${'x'.repeat(77)}.get`, 'db.get'].map(nameProblem)).toEqual([
      'empty',
      'blank',
      'blank',
      'tooLong',
      null,
    ]);
  });

  it.each([
    ['db.get', 'db'],
    ['db._table.get.pre_process', 'db/_table'],
    ['db._table.{table_name}.get', 'db/_table/Contact'],
    ['db._table.public.todo.post.pre_process', 'db/_table/public.todo'],
    ['db._table.contact.{id}.get', 'db/_table/contact/{id}'],
    ['db.custom.get', 'db/custom'],
  ])('%s is about calls such as %s', (name, path) => expect(callPath(name, tree)).toBe(path));

  it('stay quick with thousands of tables and scripts', () => {
    const values = Array.from({ length: 5_000 }, (_, index) => `table_${index}`);
    const large: EventTree = {
      'db._table.{table_name}': {
        type: 'api',
        endpoints: endpointsOf('db._table.{table_name}', ['get', 'post', 'put', 'patch', 'delete']),
        parameter: { table_name: values },
      },
    };
    const { resources } = countScripts(
      large,
      values.map((value) => `db._table.${value}.put.queued`),
    );
    expect(resources.get('db._table.{table_name}')).toBe(5_000);
  });
});
