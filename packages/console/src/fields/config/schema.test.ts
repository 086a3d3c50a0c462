import type { FieldDescriptor } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import {
  configOf,
  initialConfig,
  itemKindOf,
  kindOf,
  labelOf,
  missingFields,
  newConfigRow,
  setFieldValue,
  usesEvents,
  visibleFields,
} from './schema.ts';
import { everyKind, serviceTypes } from './service-types.fixture.ts';

const field = (more: Record<string, unknown>) => ({ name: 'x', type: 'string', ...more }) as unknown as FieldDescriptor;

describe('how a field is drawn (OPEN-144, OPEN-146)', () => {
  it.each([
    [field({}), 'string'],
    [field({ type: 'text' }), 'string'],
    [field({ type: 'text', name: 'content' }), 'code'],
    [field({ name: 'content' }), 'string'],
    [field({ type: 'password' }), 'password'],
    [field({ name: 'password', type: 'text' }), 'password'],
    [field({ type: 'integer' }), 'integer'],
    [field({ type: 'array', items: 'string' }), 'strings'],
    [field({ type: 'array' }), 'strings'],
    [field({ type: 'array', items: [field({})] }), 'rows'],
    [field({ type: 'array (of objects)', items: [field({})] }), 'rows'],
    [field({ type: 'object' }), 'object'],
    [field({ type: 'object(label, url)' }), 'object'],
    [field({ type: 'a type of tomorrow' }), 'string'],
    [field({ type: undefined }), 'string'],
  ])('%j is a %s', (descriptor, kind) => {
    expect(kindOf(descriptor)).toBe(kind);
  });

  it('is a secret when it came back masked, whatever its type', () => {
    expect(kindOf(field({ type: 'text' }), '**********')).toBe('password');
    expect(kindOf(field({ type: 'file_certificate' }), '**********')).toBe('password');
    expect(kindOf(field({ type: 'text' }), '')).toBe('string');
  });

  it('never shows the parts of a link as fields of their own', () => {
    expect(visibleFields(everyKind).map(({ name }) => name)).not.toContain('storage_service_id');
    expect(visibleFields(everyKind)).toHaveLength(everyKind.length - 4);
  });

  it('copes with missing keys', () => {
    expect(labelOf(field({ name: 'api_key' }))).toBe('api key');
    expect(itemKindOf(field({ type: 'multi_picklist' }))).toBe('string');
    expect(itemKindOf(field({ name: 'password' }))).toBe('password');
  });
});

describe('the values of a form', () => {
  const schema = [
    field({ name: 'port', type: 'integer', default: 22 }),
    field({ name: 'host', default: 'here' }),
    field({ name: 'ssl', type: 'boolean', default: false }),
    field({ name: 'user' }),
  ];

  it('begin with the defaults in a new service (OPEN-147)', () => {
    expect(initialConfig(schema, null)).toEqual({ port: 22, host: 'here', ssl: false, user: null });
  });

  it('fill only what a stored service does not have: what was emptied stays empty', () => {
    expect(initialConfig(schema, { host: null, port: 0, id: 5 })).toEqual({
      host: null,
      port: 0,
      id: 5,
      ssl: false,
      user: null,
    });
  });

  it('are an object even when the wire says []', () => {
    expect(configOf([])).toEqual({});
    expect(configOf(null)).toEqual({});
    expect(configOf({ a: 1 })).toEqual({ a: 1 });
  });

  it('start a new row with 31 verbs and its defaults (SVC-033)', () => {
    expect(
      newConfigRow([
        field({ name: 'action', type: 'verb_mask', default: 0 }),
        field({ name: 'active', type: 'boolean', default: true }),
        field({ name: 'name' }),
      ]),
    ).toEqual({ action: 31, active: true });
  });

  it('copy the dsn of a driver (OPEN-148)', () => {
    expect(setFieldValue(everyKind, { dsn: 'old' }, 'driver', 'pgsql')).toEqual({
      driver: 'pgsql',
      dsn: 'pgsql:host=localhost',
    });
    expect(setFieldValue(everyKind, { dsn: 'old' }, 'driver', null)).toEqual({ driver: null, dsn: 'old' });
    expect(setFieldValue(everyKind, { dsn: 'old' }, 'protocol', 'http')).toEqual({ protocol: 'http', dsn: 'old' });
  });

  it('tell which required ones are missing; false and 0 are values', () => {
    const required = ['a', 'b', 'c', 'd'].map((name) => field({ name, required: true }));
    expect(missingFields(required, { a: '', b: 0, c: false })).toEqual(['a', 'd']);
    expect(missingFields(required, { a: ' ', b: 'b', c: 'c', d: 'd' })).toEqual(['a']);
  });

  it('let a socket stand in for the host', () => {
    const host = field({ name: 'host', required: true });
    expect(missingFields([host], { host: '', unix_socket: '' })).toEqual(['host']);
    expect(missingFields([host], { host: '', unix_socket: '/run/mysqld.sock' })).toEqual([]);
  });
});

it('asks for the events only where a form offers them (SVC-035)', () => {
  const schemaOf = (name: string) => serviceTypes.find((type) => type.name === name)?.config_schema ?? [];
  expect(usesEvents(schemaOf('mysql'))).toBe(false);
  expect(usesEvents(schemaOf('every_kind'))).toBe(true);
  expect(usesEvents([field({ name: 'service_event_map', type: 'array' })])).toBe(true);
});
