import type { Licence } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { serviceTypes } from '../../fields/config/service-types.fixture.ts';
import { chooserGroups, columnsOf, filterGroups, licenceCovers, licenceOf, offeredTypes } from './types.ts';

const named = (name: string, licence: Licence) =>
  offeredTypes(serviceTypes, licence).find((type) => type.name === name)!;

describe('tiers', () => {
  it.each([
    ['OPEN SOURCE', null, true],
    ['OPEN SOURCE', 'SILVER', false],
    ['OPEN SOURCE', 'GOLD', false],
    ['SILVER', 'SILVER', true],
    ['SILVER', 'GOLD', false],
    ['GOLD', 'SILVER', true],
    ['GOLD', 'GOLD', true],
    ['GOLD', 'PLATINUM', true],
    ['OPEN SOURCE', 'PLATINUM', false],
  ] as const)('%s with a type of %s: %s (SVC-012, SVC-013, SVC-014, SVC-015)', (licence, tier, isCovered) => {
    expect(licenceCovers(licence, tier)).toBe(isCovered);
  });

  it('read the licence of the environment; unknown is OPEN SOURCE (SVC-018)', () => {
    expect(licenceOf('GOLD')).toBe('GOLD');
    expect(licenceOf(undefined)).toBe('OPEN SOURCE');
    expect(licenceOf('gold')).toBe('OPEN SOURCE');
  });

  it('take the form away from what the licence does not cover (SVC-014)', () => {
    expect(named('sqlsrv', 'OPEN SOURCE')).toMatchObject({ available: false, config_schema: null });
    expect(named('sqlsrv', 'SILVER').available).toBe(true);
    expect(named('sqlsrv', 'SILVER').config_schema?.length).toBeGreaterThan(0);
    expect(named('logstash', 'SILVER').available).toBe(false);
    expect(named('logstash', 'GOLD').available).toBe(true);
  });

  it('add the paid types the server does not list, once (SVC-016, SVC-017, OPEN-140)', () => {
    const added = offeredTypes([], 'GOLD').map(
      ({ name, group, subscription_required }) => `${group} ${name} ${subscription_required}`,
    );
    expect(added.sort()).toEqual(
      [
        'Database ibmdb2 SILVER',
        'Database informix SILVER',
        'Database memsql SILVER',
        'Database oracle SILVER',
        'Database salesforce_db SILVER',
        'Database sqlanywhere SILVER',
        'Database sqlsrv SILVER',
        'IoT mqtt SILVER',
        'LDAP adldap SILVER',
        'LDAP ldap SILVER',
        'Log logstash GOLD',
        'Notification apns SILVER',
        'Notification gcm SILVER',
        'OAuth oauth_azure_ad SILVER',
        'OAuth oidc SILVER',
        'Remote Service soap SILVER',
        'SSO saml SILVER',
      ].sort(),
    );
    expect(offeredTypes([], 'GOLD').every((type) => !type.available)).toBe(true);
    expect(offeredTypes([], 'SILVER').map(({ name, hindrance }) => `${name} ${hindrance}`)).toEqual(
      expect.arrayContaining(['oracle missing', 'soap missing', 'logstash locked']),
    );
    const names = offeredTypes(serviceTypes, 'OPEN SOURCE').map((type) => type.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the chooser', () => {
  const groups = chooserGroups(offeredTypes(serviceTypes, 'OPEN SOURCE'));

  it('has the groups in the fixed order, the others after them (SVC-053, OPEN-138)', () => {
    expect(groups.map(({ name }) => name)).toEqual([
      'Database',
      'File',
      'Email',
      'Notification',
      'Remote Service',
      'Script',
      'OAuth',
      'LDAP',
      'Cache',
      'IoT',
      'Log',
      'SSO',
    ]);
  });

  it('has the free types first in a group, then those of the licence, then those that cannot be had', () => {
    const [databases] = chooserGroups(offeredTypes(serviceTypes, 'SILVER'));
    const names = databases?.types.map(({ name }) => name) ?? [];
    expect(names.indexOf('sqlite')).toBeLessThan(names.indexOf('sqlsrv'));
    expect(names.indexOf('sqlsrv')).toBeLessThan(names.indexOf('ibmdb2'));
  });

  it('leaves out singletons', () => {
    expect(groups.flatMap(({ types }) => types.map(({ name }) => name))).not.toContain('system');
  });

  it('has one column up to five types, else two, down the first and then the second (SVC-054, OPEN-139)', () => {
    expect(columnsOf([1, 2, 3, 4, 5])).toEqual([[1, 2, 3, 4, 5]]);
    expect(columnsOf([1, 2, 3, 4, 5, 6])).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(columnsOf([1, 2, 3, 4, 5, 6, 7])).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
    ]);
  });

  it('finds types by their words, and whole groups', () => {
    expect(filterGroups(groups, ' postgres ').map(({ types }) => types.map(({ name }) => name))).toEqual([['pgsql']]);
    expect(filterGroups(groups, 'Maria').map(({ types }) => types.map(({ name }) => name))).toEqual([['mysql']]);
    expect(filterGroups(groups, 'script')[0]?.types).toHaveLength(4);
    expect(filterGroups(groups, 'nothing like it')).toEqual([]);
    expect(filterGroups(groups, '')).toHaveLength(groups.length);
  });
});
