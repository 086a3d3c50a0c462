import { limitTypes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { countsSignIns, emptyLimit, firstProblem, hasField, type LimitForm, toForm, toRecord } from './record.ts';

const aForm = (changes: Partial<LimitForm> = {}): LimitForm => ({
  ...emptyLimit,
  name: 'per minute',
  type: 'instance',
  rate: '60',
  period: 'minute',
  ...changes,
});

describe('the form of a limit', () => {
  it('shows the fields of its type (OPEN-184)', () => {
    const shown = (type: string | null) =>
      (['service_id', 'user_id', 'endpoint', 'role_id'] as const).filter((field) => hasField(type, field)).join(' ');
    expect(
      Object.fromEntries([...Object.keys(limitTypes), 'instance.gone', ''].map((type) => [type, shown(type)])),
    ).toEqual({
      instance: '',
      'instance.user': 'user_id',
      'instance.each_user': '',
      'instance.service': 'service_id',
      'instance.role': 'role_id',
      'instance.user.service': 'service_id user_id',
      'instance.each_user.service': 'service_id',
      'instance.service.endpoint': 'service_id endpoint',
      'instance.user.service.endpoint': 'service_id user_id endpoint',
      'instance.each_user.service.endpoint': 'service_id endpoint',
      'instance.gone': '',
      '': '',
    });
  });

  it('is what was stored, and is sent as it was', () => {
    const record = {
      id: 3,
      type: 'instance.each_user.service.endpoint',
      key_text: 'instance.each_user:.service:5.endpoint:_table/contact.verb:GET.hour',
      rate: 60,
      period: 'hour',
      user_id: null,
      role_id: null,
      service_id: 5,
      name: 'contacts',
      description: null,
      is_active: false,
      endpoint: '_table/contact',
      verb: 'GET',
    };
    const { key_text: _computed, ...sent } = record;
    expect(toRecord(toForm(record))).toEqual(sent);
  });

  it('sends an endpoint with the types that have one, without slashes at its ends (LIM-020)', () => {
    const endpointOf = (type: string) => toRecord(aForm({ type, endpoint: ' /_table/contact/ ' })).endpoint;
    expect(Object.keys(limitTypes).filter((type) => endpointOf(type) !== null)).toEqual([
      'instance.service.endpoint',
      'instance.user.service.endpoint',
      'instance.each_user.service.endpoint',
    ]);
    expect(endpointOf('instance.service.endpoint')).toBe('_table/contact');
    expect(toRecord(aForm({ type: 'instance.service.endpoint', endpoint: '/' })).endpoint).toBe(null);
  });

  it('sends a verb that is chosen, takes a stored one back, and keeps what the type hides (OPEN-186)', () => {
    expect(toRecord(aForm())).not.toHaveProperty('verb');
    expect(toRecord(aForm({ verb: 'GET' })).verb).toBe('GET');
    expect(toRecord(aForm({ id: 3 })).verb).toBe(null);
    expect(toRecord(aForm({ service_id: 5, user_id: 7, role_id: 9 }))).toMatchObject({
      service_id: 5,
      user_id: 7,
      role_id: 9,
    });
  });
});

describe('what is wrong with a limit', () => {
  const problemOf = (changes: Partial<LimitForm>) => {
    const found = firstProblem(aForm(changes));
    return found && `${found.field} ${found.problem}`;
  };

  it('comes one at a time, in the order of the documents (LIM-021 to LIM-026)', () => {
    const wrong = { type: null, name: ' ', rate: '' };
    expect(problemOf(wrong)).toBe('type noType');
    expect(problemOf({ ...wrong, type: 'instance.gone' })).toBe('name noName');
    expect(problemOf({ ...wrong, type: 'instance.gone', name: 'x' })).toBe('type unknownType');
    expect(problemOf({ rate: '' })).toBe('rate noRate');
    for (const rate of ['1.5', '-1', '1e3', '12 a']) expect(problemOf({ rate })).toBe('rate rateNotDigits');
    expect(problemOf({})).toBe(undefined);
  });

  it('goes on with what the server asks for', () => {
    const type = 'instance.user.service.endpoint';
    expect(problemOf({ rate: '0' })).toBe('rate rateTooSmall');
    expect(problemOf({ type })).toBe('service_id missing');
    expect(problemOf({ type, service_id: 5 })).toBe('user_id missing');
    expect(problemOf({ type, service_id: 5, user_id: 7, endpoint: '/' })).toBe('endpoint missing');
    expect(problemOf({ type: 'instance.service.endpoint', service_id: 5 })).toBe(undefined);
    expect(problemOf({ type: 'instance.role' })).toBe('role_id missing');
    expect(problemOf({ period: null })).toBe('period noPeriod');
  });
});

it('knows which limits keep people from signing in', () => {
  expect([
    countsSignIns('instance', undefined),
    countsSignIns('instance.service', 'user'),
    countsSignIns('instance.service', 'db'),
    countsSignIns('instance.each_user', undefined),
  ]).toEqual([true, true, false, false]);
});
