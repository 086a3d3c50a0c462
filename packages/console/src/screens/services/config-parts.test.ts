import type { FieldDescriptor } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { configParts, secretsToRetype } from './config-parts.ts';

const schema = ['host', 'charset', 'sslmode', 'max_records', 'made_up', 'statements'].map(
  (name): FieldDescriptor => ({ name, type: 'string' }),
);
const fieldsByPart = (group: string) =>
  configParts(schema, group).map(({ part, fields }) => [part, fields.map(({ name }) => name)]);

describe('the parts of a configuration', () => {
  it('of a database begin with what it takes to connect, fields nobody knows among it', () => {
    expect(fieldsByPart('Database')).toEqual([
      ['connection', ['host', 'sslmode', 'made_up']],
      ['records', ['max_records']],
      ['session', ['charset', 'statements']],
    ]);
  });

  it('of a script begin with the script', () => {
    const fields = ['queued', 'content', 'cache_ttl', 'service_event_map', 'storage_path'].map(
      (name): FieldDescriptor => ({ name, type: 'string' }),
    );
    const parts = configParts(fields, 'Script').map((entry) => [entry.part, entry.fields.map(({ name }) => name)]);
    expect(parts).toEqual([
      ['script', ['content', 'storage_path']],
      ['calls', ['queued', 'cache_ttl']],
      ['events', ['service_event_map']],
    ]);
  });

  it('of any other type are one', () => {
    expect(fieldsByPart('File')).toEqual([['connection', schema.map(({ name }) => name)]]);
  });

  it('without fields are left out', () => {
    expect(configParts(schema.slice(0, 1), 'Database').map(({ part }) => part)).toEqual(['connection']);
  });
});

describe('a secret that is stored', () => {
  const fields = ['host', 'port', 'database', 'password'].map((name): FieldDescriptor => ({ name, type: 'string' }));
  const stored = { host: 'db', port: 5432, database: 'a', password: '**********' };
  const retypedAfter = (changes: object) =>
    secretsToRetype(fields, stored, { ...stored, ...changes }).map(({ name }) => name);

  it('must be sent again when the form leads elsewhere with the mask in it', () => {
    expect(retypedAfter({ host: 'other' })).toEqual(['password']);
    expect(retypedAfter({ port: null })).toEqual(['password']);
    expect(retypedAfter({ host: 'other', password: 'new' })).toEqual([]);
    expect(retypedAfter({ host: ' db', port: '5432', database: 'b' })).toEqual([]);
    expect(secretsToRetype(fields, null, { host: 'db', password: 'new' })).toEqual([]);
  });
});
