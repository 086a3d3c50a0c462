import { describe, expect, it } from 'vitest';
import { everyKind, serviceTypes } from '../../fields/config/service-types.fixture.ts';
import { emptyService, namePattern, toDraft, toForm, toRecord, withType } from './record.ts';

const mysql = serviceTypes.find(({ name }) => name === 'mysql')!;
const stored = {
  id: 5,
  name: 'crm',
  label: null,
  description: null,
  is_active: false,
  type: 'mysql',
  mutable: true,
  deletable: true,
  config: { service_id: 5, host: 'h', port: null, password: '**********' },
  service_doc_by_service_id: { service_id: 5, format: 1, content: 'openapi: 3.1.0' },
};

describe('a service in the editor', () => {
  it('is read with what the type has and the record lacks (SVC-007, SVC-009)', () => {
    const form = toForm(stored, serviceTypes);
    expect(form).toMatchObject({
      id: 5,
      name: 'crm',
      label: '',
      is_active: false,
      definition: { content: 'openapi: 3.1.0', format: 1 },
    });
    expect(form.config).toMatchObject({ service_id: 5, host: 'h', port: null, max_records: 1000, allow_upsert: false });
  });

  it('copes with config [], no definition, one in a list, and a type nobody knows', () => {
    expect(
      toForm({ ...stored, config: [], service_doc_by_service_id: null, type: 'gone' }, serviceTypes),
    ).toMatchObject({ config: {}, definition: { content: '', format: 0 } });
    expect(
      toForm({ ...stored, service_doc_by_service_id: [stored.service_doc_by_service_id] }, serviceTypes).definition
        .format,
    ).toBe(1);
  });

  it('is sent with its definition, or null when that is empty (SVC-036, OPEN-155)', () => {
    const form = toForm(stored, serviceTypes);
    expect(toRecord(form, undefined)).toMatchObject({
      id: 5,
      type: 'mysql',
      config: { password: '**********' },
      service_doc_by_service_id: { content: 'openapi: 3.1.0', format: 1 },
    });
    expect(
      toRecord({ ...form, definition: { content: ' \n', format: 1 } }, undefined).service_doc_by_service_id,
    ).toBeNull();
    expect(toRecord(form, undefined)).not.toHaveProperty('deletable');
  });

  it('starts over with another type, active (OPEN-156, SVC-007)', () => {
    const chosen = withType(
      { ...emptyService, name: 'x', config: { old: 1 }, definition: { content: 'old', format: 1 } },
      mysql,
    );
    expect(chosen).toMatchObject({ name: 'x', is_active: true, type: 'mysql', definition: { content: '', format: 0 } });
    expect(chosen.config).toMatchObject({ port: 3306, host: null });
    expect(chosen.config).not.toHaveProperty('old');
  });

  it('is kept as a draft without anything that may be secret', () => {
    const config = Object.fromEntries(everyKind.map(({ name }) => [name, 'typed']));
    const draftFields = Object.keys(
      toDraft({ ...emptyService, config: { ...config, client_secret: 's', api_token: 't' } }, everyKind).config ?? {},
    );
    expect(draftFields).toContain('plain');
    for (const name of [
      'secret',
      'password',
      'client_key',
      'certificate',
      'dsn',
      'client_secret',
      'api_token',
      'options',
      'content',
    ])
      expect(draftFields).not.toContain(name);
  });

  it.each([
    ['crm', true],
    ['a-B_9', true],
    ['a b', false],
    ['a/b', false],
    ['ä', false],
  ])('name %s: %s', (name, isRight) => {
    expect(namePattern.test(name)).toBe(isRight);
  });
});
