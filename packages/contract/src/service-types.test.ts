import { describe, expect, it } from 'vitest';
import {
  appStorageTypes,
  dataScreenTypes,
  defaultAppStorageType,
  defaultScriptFileEndings,
  definitionFileEndings,
  editableDefinitionTypes,
  isInGroup,
  licences,
  paidServiceTypes,
  repositoryTypes,
  schemaScreenTypes,
  scriptFileEndings,
  serviceGroups,
  unfilteredDatabaseTypes,
} from './service-types.ts';

describe('lists by name', () => {
  it.each(
    Object.entries({
      serviceGroups,
      licences,
      paidServiceTypes: paidServiceTypes.map(({ name }) => name),
      dataScreenTypes,
      schemaScreenTypes,
      unfilteredDatabaseTypes,
      appStorageTypes,
      editableDefinitionTypes,
      definitionFileEndings,
      defaultScriptFileEndings,
      repositoryTypes,
    }),
  )('%s has no name twice', (_, list: readonly string[]) => {
    expect([...new Set(list)]).toEqual(list);
  });

  it('agree with each other', () => {
    expect(appStorageTypes).toContain(defaultAppStorageType);
    expect(editableDefinitionTypes).toEqual(expect.arrayContaining([...scriptFileEndings.keys()]));
  });
});

describe('paid types', () => {
  it('have a group there is, and a tier above the licence everyone has', () => {
    const [free, ...tiers] = licences;
    expect(free).toBe('OPEN SOURCE');
    for (const { group, tier } of paidServiceTypes) {
      expect(serviceGroups).toContain(group);
      expect(tiers).toContain(tier);
    }
  });

  it('that are databases by name are of the group Database', () => {
    const databases = paidServiceTypes.filter(({ name }) => schemaScreenTypes.includes(name));
    expect(databases.length).toBeGreaterThan(0);
    expect(databases.filter((type) => !isInGroup(type, 'Database'))).toEqual([]);
  });
});
