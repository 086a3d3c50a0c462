// What an Active Directory holds, to be read: people, groups and computers (contract/services-other.md §8).
import { fail, truthy } from '@sluice/contract';
import type { Filter } from 'ldapts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { parseCommaList } from '../../call/list-query.ts';
import { type DirectoryEntry, recordOf, textOf } from '../../directories/entry.ts';
import { type Filters, loadFilters } from '../../directories/filter.ts';
import { type Resource, routesOf } from '../../service/operation.ts';
import { findOne } from '../engines/directory.ts';
import { bindAccount, type OpenActiveDirectory } from './account.ts';
import { findPrimaryGroup, personFilters } from './sign-in.ts';

/** Entries that one call answers. */
const maxEntries = 10_000;
/** Attributes that a call may name. */
const maxAttributes = 200;

interface Kind {
  name: string;
  label: string;
  description: string;
  listSummary: string;
  readSummary: string;
  /** What an entry is addressed by, and what a list of names has. */
  key: string;
  listed: string;
  filters(filters: Filters): Filter[];
}

const kinds: readonly Kind[] = [
  {
    ...{ name: 'user', label: 'Users', description: 'The people of the directory.' },
    ...{ key: 'sAMAccountName', listed: 'sAMAccountName' },
    ...{ listSummary: 'List the users of the directory', readSummary: 'Read a user of the directory' },
    filters: personFilters,
  },
  {
    ...{ name: 'group', label: 'Groups', description: 'The groups of the directory.' },
    ...{ key: 'cn', listed: 'sAMAccountName' },
    ...{ listSummary: 'List the groups of the directory', readSummary: 'Read a group of the directory' },
    filters: ({ equals }) => [equals('objectClass', 'group')],
  },
  {
    ...{ name: 'computer', label: 'Computers', description: 'The computers of the directory.' },
    ...{ key: 'cn', listed: 'cn' },
    ...{ listSummary: 'List the computers of the directory', readSummary: 'Read a computer of the directory' },
    filters: ({ equals }) => [equals('objectClass', 'computer')],
  },
];

const errors = [
  'directory.noAccount',
  'directory.badAccount',
  'directory.unreachable',
  'directory.badAttribute',
] as const;
const entryFields = { dn: { type: 'string' }, cn: { type: 'string' }, samaccountname: { type: 'string' } } as const;
const route = routesOf<OpenActiveDirectory>();

export const resources: readonly Resource<OpenActiveDirectory>[] = kinds.map((kind) => ({
  entry: { name: kind.name, label: kind.label, description: kind.description },
  routes: [
    route('', {
      GET: {
        summary: kind.listSummary,
        parameters: ['fields', 'filter', 'as_list', ...(kind.name === 'group' ? ['user'] : [])],
        answer: 'object',
        answerFields: { resource: { type: 'array', items: { type: 'object', fields: entryFields } } },
        errors: [
          ...errors,
          'directory.badFilter',
          'directory.tooMany',
          ...(kind.name === 'group' ? (['record.notFound'] as const) : []),
        ],
        handle: (call, _values, service) => list(kind, call, service),
      },
    }),
    route('{name}', {
      GET: {
        summary: kind.readSummary,
        parameters: ['fields'],
        answer: 'object',
        answerFields: entryFields,
        errors: [...errors, 'record.notFound'],
        handle: (call, { name }, service) => readOne(kind, name, call, service),
      },
    }),
  ],
}));

async function list(kind: Kind, call: Call, service: OpenActiveDirectory): Promise<Reply> {
  const filters = await loadFilters();
  const asList = truthy(call.query.get('as_list'));
  const attributes = asList ? [kind.listed] : attributesOf(call);
  const filter = call.query.get('filter')?.trim();
  const own = [...kind.filters(filters), ...(filter ? [filters.parse(filter)] : [])];
  const user = kind.name === 'group' ? call.query.get('user') : undefined;
  const entries = await service.directory.connect(call, async (connection) => {
    await bindAccount(connection, service);
    const search = (...more: Filter[]) =>
      connection.search(service.directory.base, {
        filter: filters.and(...own, ...more),
        attributes,
        ...{ limit: maxEntries, pageSize: service.pageSize },
      });
    if (!user) return search();
    const byAccount = filters.and(...personFilters(filters), filters.equals('sAMAccountName', user));
    const person = await findOne(connection, service.directory.base, [byAccount]);
    if (!person) throw fail('record.notFound', { id: user });
    const primary = await findPrimaryGroup(person, connection, service.directory, filters);
    const sid = primary?.attributes.get('objectsid')?.[0];
    const isMember = filters.equals('member', person.dn);
    return search(sid === undefined ? isMember : filters.or(isMember, filters.equals('objectSid', sid)));
  });
  if (!asList) return answer({ resource: entries.map((entry) => shown(entry, attributes)) });
  const names = entries.map((entry) => textOf(entry, kind.listed.toLowerCase()));
  return answer({ resource: names.filter((name) => name !== undefined) });
}

async function readOne(kind: Kind, name: string, call: Call, service: OpenActiveDirectory): Promise<Reply> {
  const filters = await loadFilters();
  const attributes = attributesOf(call);
  const [entry] = await service.directory.connect(call, async (connection) => {
    await bindAccount(connection, service);
    return connection.search(service.directory.base, {
      filter: filters.and(...kind.filters(filters), filters.equals(kind.key, name)),
      ...{ attributes, limit: 10 },
    });
  });
  if (!entry) throw fail('record.notFound', { id: name });
  return answer(shown(entry, attributes));
}

/** The attributes that a call asks for; all of them where it says nothing. */
function attributesOf({ query }: Call): string[] {
  const names = parseCommaList(query.get('fields')) ?? [];
  const odd = names.find((name) => name !== '*' && !/^[a-z][\w-]{0,100}(;[\w=*-]{1,100})*$/i.test(name));
  if (odd !== undefined || names.length > maxAttributes)
    throw fail('directory.badAttribute', { name: odd?.slice(0, 100) ?? names.slice(0, 3).join() });
  if (names.length === 0 || names.includes('*')) return ['*'];
  // Without any attribute a directory answers all.
  const others = names.filter((name) => name.toLowerCase() !== 'dn');
  return others.length > 0 ? names : ['dn', '1.1'];
}

/** An entry with what was asked for: its name belongs to that only where it is named. */
function shown(entry: DirectoryEntry, attributes: readonly string[]): Record<string, unknown> {
  const record = recordOf(entry);
  if (attributes.includes('*') || attributes.some((name) => name.toLowerCase() === 'dn')) return record;
  const { dn: _dn, ...others } = record;
  return others;
}
