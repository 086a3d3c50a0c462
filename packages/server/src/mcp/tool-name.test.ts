import type { Verb } from '@sluice/contract';
import { startPlatform } from '@sluice/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { namedOperations, otherToolName, toolName } from './tool-name.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());

const operation = (verb: Verb, path: string, summary = 'Do it') => ({
  ...{ verb, path, summary, endsInSlash: false, answer: 'any value' as const },
});

describe('names of tools', () => {
  it('are readable', () => {
    const sqlite = platform.types.find(({ name }) => name === 'sqlite');
    const names = (sqlite?.routes.operations ?? []).map((one) => `${one.verb} ${one.path} ${toolName(one)}`);
    expect(names).toContain('GET _table/{table_name} get_table_records');
    expect(names).toContain('PATCH _table/{table_name}/{id} patch_table_record');
    expect(names).toContain('GET _table get_table_list');
    expect(names).toContain('GET _schema/{table_name} get_schema_table');
    expect(names).toContain('DELETE _schema/{table_name}/_field/{field_name} delete_schema_table_field_by_name');
  });

  it('are distinct within a type, and hold to the pattern of clients', () => {
    for (const { routes, name: type } of platform.types) {
      const names = routes.operations.map(toolName);
      expect(new Set(names).size, type).toBe(names.length);
      for (const name of names) expect(name, type).toMatch(/^[a-z0-9_]{1,40}$/);
    }
  });

  it.each([
    '{}',
    '__proto__',
    'constructor/{constructor}',
    `${'a'.repeat(3_000)}/{b}`,
    'naïve/中文/{имя}',
    'a\nb"c\'d',
    '../..',
    '{a}{b}{c}',
    '////',
    '_',
  ])('hold to it whatever the path is: %s', (path) => {
    for (const name of [toolName(operation('GET', path)), otherToolName(operation('GET', path))])
      expect(name).toMatch(/^get(_[a-z0-9_]+)?$/);
    expect(toolName(operation('GET', path)).length).toBeLessThanOrEqual(40);
  });

  it('tell apart what is written alike', () => {
    const operations = [operation('GET', 'a-b'), operation('GET', 'a_b'), operation('GET', 'a.b')];
    const named = namedOperations(operations);
    expect(named.get('get_a_b')?.path).toBe('a-b');
    expect(operations.map((one) => named.get(otherToolName(one))?.path)).toEqual(['a-b', 'a_b', 'a.b']);
  });
});
