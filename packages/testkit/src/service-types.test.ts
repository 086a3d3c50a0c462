// The lists of service types in the code are those of the documents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  appStorageTypes,
  dataScreenTypes,
  defaultScriptFileEndings,
  definitionFileEndings,
  editableDefinitionTypes,
  licences,
  paidServiceTypes,
  repositoryTypes,
  schemaScreenTypes,
  scriptFileEndings,
  serviceGroups,
  unfilteredDatabaseTypes,
} from '@sluice/contract';
import { describe, expect, it } from 'vitest';

const readPage = (path: string) => readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8');
const contractPage = readPage('contract/service-types.md');
const requirementsPage = readPage('requirements.md');

interface DocumentedType {
  name: string;
  label: string;
  group: string | undefined;
  tier: string | undefined;
}

describe('service types of the contract page', () => {
  it('are in the groups of the code', () => {
    const line = contractPage.split('\n').find((text) => text.startsWith('Groups (exact strings):')) ?? '';
    expect([...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(serviceGroups);
  });

  it('have the tiers of the code, with group and label', () => {
    // Its row has a tier, but no requirement names it among the paid types.
    const unnamed = 'oauth_salesforce';
    const paid = documentedTypes().filter(({ name, tier }) => tier !== undefined && name !== unnamed);
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(paid.sort(byName)).toEqual([...paidServiceTypes].sort(byName));
  });

  it('are all that the lists of the code name', () => {
    const listed = [...schemaScreenTypes, ...unfilteredDatabaseTypes, ...appStorageTypes, ...editableDefinitionTypes];
    const names = [...listed, ...scriptFileEndings.keys(), ...repositoryTypes];
    const documented = new Set(documentedTypes().map(({ name }) => name));
    expect(names.filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe('service types that requirements name', () => {
  it('are listed in the code, in the same order', () => {
    const scriptTypesOf = (...endings: string[]) =>
      [...scriptFileEndings].filter(([, accepted]) => accepted.join() === endings.join()).map(([type]) => type);
    const lists = {
      'DAT-004': dataScreenTypes,
      'SCH-003': schemaScreenTypes.filter((type) => !dataScreenTypes.includes(type)),
      'ROL-018': unfilteredDatabaseTypes,
      'APP-029': appStorageTypes,
      'SVC-055': editableDefinitionTypes,
      'SVC-023': scriptTypesOf('.js'),
      'SVC-024': scriptTypesOf('.php'),
      'SVC-025': scriptTypesOf('.py', '.python'),
      'SVC-028': repositoryTypes,
    };
    const documented = new Set(documentedTypes().map(({ name }) => name));
    const typesIn = (id: string) =>
      [...new Set(statementOf(id).match(/(?<![.\w])\w+/g))].filter((word) => documented.has(word));
    expect(lists).toEqual(Object.fromEntries(Object.keys(lists).map((id) => [id, typesIn(id)])));
  });

  it('come with the file endings of the code', () => {
    const scripts = [...scriptFileEndings.values()].flat();
    const named = ['SVC-023', 'SVC-024', 'SVC-025'].flatMap((id) => statementOf(id).match(/\.\w+/g));
    expect(new Set(named)).toEqual(new Set(scripts));
    expect(statementOf('SVC-026').match(/\.\w+/g)).toEqual(defaultScriptFileEndings);
    expect(statementOf('SVC-027').match(/json|ya?ml/g)).toEqual(definitionFileEndings.map((name) => name.slice(1)));
  });
});

/** The types of the page: `mysql (MySQL)` in the first cell of a row, or in the headline of a section. */
function documentedTypes(): DocumentedType[] {
  return contractPage.split(/^## /m).flatMap((section) => {
    const [headline = '', ...lines] = section.split('\n');
    const sectionGroup = /\(group `(.+)`\)/.exec(headline)?.[1];
    const rows = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').map((cell) => cell.trim()));
    return [[headline, headline], ...rows].flatMap((cells) =>
      [...(cells[1] ?? '').matchAll(/\b([a-z]\w+) \(([A-Z][^)]*)\)/g)].map(([, name = '', label = '']) => ({
        name,
        label,
        group: serviceGroups.find((group) => cells.includes(group)) ?? sectionGroup,
        tier: licences.find((licence) => cells.includes(licence)),
      })),
    );
  });
}

/** What a requirement says. */
function statementOf(id: string): string {
  const row = requirementsPage.split('\n').find((line) => line.startsWith(`| ${id} |`));
  return row?.split('|')[2] ?? '';
}
