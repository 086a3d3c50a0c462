// The rows of roles that name a table or a field: by their component, and by their record filters.
import type { UsageEntry } from '@sluice/contract';
import type { RecordEngine } from '../../records/index.ts';
import type { Db, Store } from '../../store/index.ts';
import type { ChangeActor } from '../extras/extras.ts';
import {
  type Area,
  coversTable,
  findFieldName,
  findRelationName,
  findTableName,
  isPatternFor,
  replaceName,
} from './component.ts';
import { maxEntries, tell } from './entry.ts';
import { namesField, readFilters, renameInFilters } from './filters.ts';
import type { UsageSubject } from './subject.ts';

/** A row of a role on a service. */
interface AccessRow {
  id: number;
  role_id: number;
  component: string;
  filters: string | null;
}

type NamedRow = AccessRow & { role: string };

// ---- finding ----

/** Where rows of roles name it; with a new name also those that have that already. */
export async function findInRoles(
  db: Db,
  subject: UsageSubject,
  isWanted: (entry: UsageEntry) => boolean,
  newName?: string,
): Promise<UsageEntry[]> {
  const entries: UsageEntry[] = [];
  for await (const rows of readRows(db, subject.at.service))
    for (const row of rows) {
      entries.push(...entriesOfRow(row, subject, newName).filter(isWanted));
      if (entries.length > maxEntries) return entries;
    }
  return entries;
}

type Finding = Pick<UsageEntry, 'kind' | 'detail' | 'sentence' | 'onRename' | 'onDrop'>;

function entriesOfRow(row: NamedRow, subject: UsageSubject, newName: string | undefined): UsageEntry[] {
  const findings =
    subject.field === undefined ? tableFindings(row, subject, newName) : fieldFindings(row, subject, subject.field);
  return findings.map((finding) => ({ ...finding, id: row.role_id, name: row.role }));
}

function tableFindings({ component }: AccessRow, subject: UsageSubject, newName: string | undefined): Finding[] {
  const { table } = subject.at;
  const role = { kind: 'role', onDrop: 'stays' } as const;
  for (const [area, name] of [
    ['_table', subject.apiTable],
    ['_schema', table],
  ] as const) {
    if (findTableName(component, area, name)) {
      if (isAmbiguous(subject))
        return [
          {
            ...role,
            onRename: 'stays',
            ...tell('rowOfAnyCase', { component }),
          },
        ];
      return [{ ...role, onRename: 'follows', ...tell(name === table ? 'row' : 'rowByAlias', { component }) }];
    }
    if (isPatternFor(component, area, name)) {
      // What fits the table under its new name, too, is as it was.
      const fitsNew = newName !== undefined && (name !== table || isPatternFor(component, area, newName));
      return [
        {
          ...role,
          onRename: fitsNew ? 'follows' : 'stays',
          ...tell('rowOfPattern', { component }),
        },
      ];
    }
    // An alias stays where it is, so nothing becomes the table of that name.
    if (newName !== undefined && name === table && findTableName(component, area, newName))
      return [
        {
          ...role,
          onRename: 'stays',
          ...tell('rowOfNewName', { component }),
        },
      ];
  }
  return relationFindings(component, (name) => {
    const [lower, lowerTable] = [name.toLowerCase(), table.toLowerCase()];
    return lower.startsWith(`${lowerTable}_by_`) || lower.endsWith(`_by_${lowerTable}`);
  });
}

/** Rows for the description of one relation, whose name may be made of the one that is looked for. */
function relationFindings(component: string, isMadeOf: (name: string) => boolean): Finding[] {
  const name = findRelationName(component);
  if (name === undefined || !isMadeOf(name)) return [];
  return [{ kind: 'role', onRename: 'stays', onDrop: 'stays', ...tell('rowOfRelation', { component }) }];
}

function fieldFindings(row: AccessRow, subject: UsageSubject, field: string): Finding[] {
  const { component } = row;
  const findings = relationFindings(component, (name) => name.toLowerCase().endsWith(`_by_${field.toLowerCase()}`));
  if (findFieldName(component, subject.at.table, field))
    findings.push({
      kind: 'role',
      onRename: 'follows',
      onDrop: 'stays',
      ...tell('rowOfField', { component }),
    });
  const filters = readFilters(row.filters);
  if (filters === undefined || !namesField(filters, filterField(subject))) return findings;
  const isOwn = findTableName(component, '_table', subject.apiTable) !== undefined;
  const filter = { kind: 'recordFilter', onDrop: 'stays' } as const;
  if (isOwn && !isAmbiguous(subject)) {
    findings.push({
      ...filter,
      onRename: 'follows',
      ...tell(subject.apiField === field ? 'filter' : 'filterByAlias', { component }),
    });
  } else if (isOwn || coversTable(component, subject.apiTable)) {
    const isAlias = subject.apiField !== field;
    findings.push({
      ...filter,
      onRename: isAlias ? 'follows' : 'stays',
      ...tell('filterOfTables', { component }),
    });
  }
  return findings;
}

/** Components are compared in any letter case; there may be another table that differs in nothing else. */
const isAmbiguous = ({ at: { table, otherTables = [] } }: UsageSubject): boolean =>
  otherTables.some((other) => other.toLowerCase() === table.toLowerCase());

const filterField = ({ apiField = '', at: { otherFields } }: UsageSubject) => ({ name: apiField, others: otherFields });

// ---- renaming ----

interface RoleParts {
  call: ChangeActor;
  db: Db;
  store: Pick<Store, 'sql'>;
  records: Pick<RecordEngine, 'updateOne' | 'join'>;
}

/**
 * Gives the new name to rows that name it, as a change of their roles by the caller. A role is locked before its rows are
 * read: nothing that somebody else writes meanwhile is overwritten.
 */
export async function renameInRoles(
  { call, db, store, records }: RoleParts,
  subject: UsageSubject,
  newName: string,
): Promise<{ publish(): Promise<void> }> {
  const { caller, baseUrl, id, ip, userAgent } = call;
  // Whatever service is called: what is written are records of the system.
  const actor = { caller, baseUrl, id, ip, userAgent, memory: undefined, service: 'system' };
  const { service } = subject.at;
  return records.join(actor, db, async (transaction) => {
    const roles = new Set<number>();
    for await (const rows of readRows(db, service))
      for (const row of rows) if (renameInRow(row, subject, newName)) roles.add(row.role_id);
    for (const role of [...roles].sort((one, other) => one - other)) {
      await db.selectFrom('role').select('id').where('id', '=', role).modifyEnd(store.sql.forUpdate).execute();
      for await (const rows of readRows(db, service, role)) {
        const changed = rows.flatMap((row) => renameInRow(row, subject, newName) ?? []);
        if (changed.length === 0) continue;
        const input = { role_service_access_by_role_id: changed };
        await records.updateOne('role', { id: role, input }, writeMode, { actor, transaction });
      }
    }
  });
}

const writeMode = { fields: undefined, related: [], continue: false, rollback: true };

/** A row as it is to be written; undefined where it does not change. */
function renameInRow(row: AccessRow, subject: UsageSubject, newName: string): Record<string, unknown> | undefined {
  const component = renameInComponent(row.component, subject, newName);
  const filters = renamedFilters(row, subject, newName);
  if (component === row.component && filters === undefined) return undefined;
  return { id: row.id, component, ...(filters === undefined ? {} : { filters }) };
}

function renameInComponent(component: string, subject: UsageSubject, newName: string): string {
  if (isAmbiguous(subject)) return component;
  const { field, apiTable, at } = subject;
  if (field !== undefined) {
    const place = findFieldName(component, at.table, field);
    return place ? replaceName(component, place, newName) : component;
  }
  const areas: Area[] = apiTable === at.table ? ['_table', '_schema'] : ['_schema'];
  for (const area of areas) {
    const place = findTableName(component, area, at.table);
    if (place) return replaceName(component, place, newName);
  }
  return component;
}

/** Filters go by names of the API: an alias stays. */
function renamedFilters(row: AccessRow, subject: UsageSubject, newName: string): unknown {
  const { field, apiField, apiTable } = subject;
  if (field === undefined || apiField !== field || isAmbiguous(subject)) return undefined;
  if (!findTableName(row.component, '_table', apiTable)) return undefined;
  const filters = readFilters(row.filters);
  const renamed = renameInFilters(filters, filterField(subject), newName);
  return renamed === filters ? undefined : renamed;
}

// ---- reading ----

const pageSize = 500;

/** The rows on a service in order of id, some at a time: roles may have thousands. */
async function* readRows(db: Db, service: number, role?: number): AsyncGenerator<NamedRow[]> {
  for (let last = 0; ; ) {
    let query = db
      .selectFrom('role_service_access as access')
      .innerJoin('role', 'role.id', 'access.role_id')
      .select([
        'access.id as id',
        'access.role_id as role_id',
        'access.component as component',
        'access.filters as filters',
        'role.name as role',
      ])
      .where('access.service_id', '=', service)
      .where('access.id', '>', last)
      .orderBy('access.id')
      .limit(pageSize);
    if (role !== undefined) query = query.where('access.role_id', '=', role);
    const rows = await query.execute();
    yield rows.map((row) => ({ ...row, component: row.component ?? '' }));
    if (rows.length < pageSize) return;
    last = rows.at(-1)!.id;
  }
}
