// The rows of roles that name a table or a field: by their component, and by their record filters.
import type { UsageEntry } from '@sluice/contract';
import type { RecordEngine } from '../../records/index.ts';
import type { Db, Store } from '../../store/index.ts';
import type { ChangeActor } from '../extras/extras.ts';
import { coversTable, findFieldName, findRelationName, findTableName, isPatternFor, replaceName } from './component.ts';
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

/** Where rows of roles name each subject, all of one table; with a new name also rows that have that already. */
export async function findInRoles(db: Db, subjects: readonly UsageSubject[]): Promise<UsageEntry[][]> {
  const found = subjects.map((): UsageEntry[] => []);
  const [first] = subjects;
  if (!first) return found;
  for await (const rows of readRows(db, first.at.service))
    for (const row of rows) {
      const filters = filtersFor(row, first);
      const mayNameFields = filters !== undefined || mayNameField(row.component, first.at.table);
      for (const [index, subject] of subjects.entries()) {
        if (subject.field !== undefined && !mayNameFields) continue;
        const entries = found[index]!;
        if (entries.length <= maxEntries) entries.push(...entriesOfRow(row, filters, subject));
      }
    }
  return found;
}

/** Which of the subjects, fields of one table, record filters of any role go by. */
export async function findFiltered(db: Db, subjects: readonly UsageSubject[]): Promise<UsageSubject[]> {
  const found = new Set<UsageSubject>();
  const [first] = subjects;
  if (!first) return [];
  for await (const rows of readRows(db, first.at.service))
    for (const row of rows) {
      const filters = filtersFor(row, first);
      if (filters === undefined) continue;
      for (const subject of subjects) if (namesField(filters, filterField(subject))) found.add(subject);
    }
  return [...found];
}

/** What is looked at once for a row, however many fields are looked for: its filters, if they are for records of the table. */
const filtersFor = ({ component, filters }: AccessRow, { apiTable }: UsageSubject): unknown =>
  findTableName(component, '_table', apiTable) || coversTable(component, apiTable) ? readFilters(filters) : undefined;

const mayNameField = (component: string, table: string): boolean =>
  findTableName(component, '_schema', table) !== undefined || findRelationName(component) !== undefined;

type Finding = Pick<UsageEntry, 'kind' | 'detail' | 'sentence' | 'onRename' | 'onDrop'>;

function entriesOfRow(row: NamedRow, filters: unknown, subject: UsageSubject): UsageEntry[] {
  const findings =
    subject.field === undefined ? tableFindings(row, subject) : fieldFindings(row, filters, subject, subject.field);
  return findings.map((finding) => ({ ...finding, id: row.role_id, name: row.role }));
}

function tableFindings({ component }: AccessRow, subject: UsageSubject): Finding[] {
  const { table } = subject.at;
  const role = { kind: 'role', onDrop: 'stays' } as const;
  const api = {
    ...({ area: '_table', name: subject.apiTable, newName: subject.newApiName } as const),
    ...{ isAmbiguous: subject.isApiAmbiguous, keepsAlias: subject.keepsAlias },
  };
  const schema = {
    ...({ area: '_schema', name: table, newName: subject.newName } as const),
    ...{ isAmbiguous: subject.isAmbiguous, keepsAlias: false },
  };
  for (const { area, name, newName, isAmbiguous, keepsAlias } of subject.isAliasOnly ? [api] : [api, schema]) {
    if (findTableName(component, area, name)) {
      if (isAmbiguous)
        return [
          {
            ...role,
            onRename: 'stays',
            ...tell('rowOfAnyCase', { component }),
          },
        ];
      return [{ ...role, onRename: 'follows', ...tell(keepsAlias ? 'rowByAlias' : 'row', { component }) }];
    }
    if (isPatternFor(component, area, name)) {
      // What fits the table under its new name, too, is as it was.
      const fitsNew = newName !== undefined && (keepsAlias || isPatternFor(component, area, newName));
      return [
        {
          ...role,
          onRename: fitsNew ? 'follows' : 'stays',
          ...tell('rowOfPattern', { component }),
        },
      ];
    }
    // Where an alias stays, nothing becomes the table of that name.
    if (newName !== undefined && !keepsAlias && findTableName(component, area, newName))
      return [
        {
          ...role,
          onRename: 'stays',
          ...tell('rowOfNewName', { component }),
        },
      ];
  }
  if (subject.isAliasOnly) return [];
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

function fieldFindings({ component }: AccessRow, filters: unknown, subject: UsageSubject, field: string): Finding[] {
  const findings: Finding[] = [];
  if (!subject.isAliasOnly) {
    const ending = `_by_${field.toLowerCase()}`;
    findings.push(...relationFindings(component, (name) => name.toLowerCase().endsWith(ending)));
    if (findFieldName(component, subject.at.table, field))
      findings.push({ kind: 'role', onRename: 'follows', onDrop: 'stays', ...tell('rowOfField', { component }) });
  }
  if (filters === undefined || !namesField(filters, filterField(subject))) return findings;
  const isOwn = findTableName(component, '_table', subject.apiTable) !== undefined;
  const filter = { kind: 'recordFilter', onDrop: 'stays' } as const;
  if (isOwn && !subject.isApiAmbiguous) {
    findings.push({
      ...filter,
      onRename: 'follows',
      ...tell(subject.keepsAlias ? 'filterByAlias' : 'filter', { component }),
    });
  } else {
    findings.push({
      ...filter,
      onRename: subject.keepsAlias ? 'follows' : 'stays',
      ...tell('filterOfTables', { component }),
    });
  }
  return findings;
}

const filterField = ({ apiField = '', at: { otherFields } }: UsageSubject) => ({ name: apiField, others: otherFields });

// ---- renaming ----

interface RoleParts {
  call: ChangeActor;
  db: Db;
  store: Pick<Store, 'sql'>;
  records: Pick<RecordEngine, 'updateOne' | 'join'>;
}

/**
 * Gives new names to rows that name tables or fields of them, one table after the other, as a change of their roles by the
 * caller. A role is locked before its rows are read: nothing that somebody else writes meanwhile is overwritten.
 */
export async function renameInRoles(
  { call, db, store, records }: RoleParts,
  service: number,
  tables: readonly (readonly UsageSubject[])[],
): Promise<{ publish(): Promise<void> }> {
  const renamed = tables.flatMap((subjects) => renamedOf(subjects) ?? []);
  if (renamed.length === 0) return { publish: async () => {} };
  const { caller, baseUrl, id, ip, userAgent } = call;
  // Whatever service is called: what is written are records of the system.
  const actor = { caller, baseUrl, id, ip, userAgent, memory: undefined, service: 'system' };
  return records.join(actor, db, async (transaction) => {
    const roles = new Set<number>();
    for await (const rows of readRows(db, service))
      for (const row of rows) if (renameInRow(row, renamed)) roles.add(row.role_id);
    for (const role of [...roles].sort((one, other) => one - other)) {
      await db.selectFrom('role').select('id').where('id', '=', role).modifyEnd(store.sql.forUpdate).execute();
      for await (const rows of readRows(db, service, role)) {
        const changed = rows.flatMap((row) => renameInRow(row, renamed) ?? []);
        if (changed.length === 0) continue;
        const input = { role_service_access_by_role_id: changed };
        await records.updateOne('role', { id: role, input }, writeMode, { actor, transaction });
      }
    }
  });
}

const writeMode = { fields: undefined, related: [], continue: false, rollback: true };

type Renamed = UsageSubject & { newName: string; newApiName: string };

const isRenamed = (subject: UsageSubject): subject is Renamed => subject.newName !== undefined;

/** A table of which something gets a new name. */
interface RenamedTable extends Pick<UsageSubject, 'at' | 'isAmbiguous' | 'apiTable' | 'isApiAmbiguous'> {
  /** The table itself, where it is renamed. */
  own: Renamed | undefined;
  fields: Renamed[];
}

function renamedOf(subjects: readonly UsageSubject[]): RenamedTable | undefined {
  const renamed = subjects.filter(isRenamed);
  const [first] = renamed;
  if (!first) return undefined;
  return {
    ...first,
    own: renamed.find(({ field }) => field === undefined),
    fields: renamed.filter(({ field }) => field !== undefined),
  };
}

/** A row as it is to be written; undefined where it does not change. */
function renameInRow(row: AccessRow, tables: readonly RenamedTable[]): Record<string, unknown> | undefined {
  let { component } = row;
  /** Undefined while they are as stored. */
  let filters: unknown;
  for (const table of tables) {
    filters = renamedFilters(component, filters ?? row.filters, table) ?? filters;
    component = renameInComponent(component, table);
  }
  if (component === row.component && filters === undefined) return undefined;
  return { id: row.id, component, ...(filters === undefined ? {} : { filters }) };
}

/** Below `_table` rows go by names of the API, below `_schema` by those of the database. */
function renameInComponent(component: string, table: RenamedTable): string {
  const { apiTable, at, own } = table;
  const apiPlace = table.isApiAmbiguous ? undefined : findTableName(component, '_table', apiTable);
  if (apiPlace)
    return own && own.newApiName !== apiTable ? replaceName(component, apiPlace, own.newApiName) : component;
  const place = table.isAmbiguous ? undefined : findTableName(component, '_schema', at.table);
  if (!place) return component;
  const withField = renameFieldIn(component, at.table, table.fields);
  return own && !own.isAliasOnly ? replaceName(withField, place, own.newName) : withField;
}

function renameFieldIn(component: string, table: string, renamed: readonly Renamed[]): string {
  for (const { field, newName, isAliasOnly } of renamed) {
    const place = field === undefined || isAliasOnly ? undefined : findFieldName(component, table, field);
    if (place) return replaceName(component, place, newName);
  }
  return component;
}

/** Filters as they are stored, or as one renamed before left them; undefined where they do not change. */
function renamedFilters(
  component: string,
  stored: unknown,
  { apiTable, isApiAmbiguous, fields }: RenamedTable,
): unknown {
  const renames = fields
    .filter(({ apiField, newApiName }) => apiField !== newApiName)
    .map((subject) => ({ field: filterField(subject), newName: subject.newApiName }));
  if (renames.length === 0 || isApiAmbiguous || !findTableName(component, '_table', apiTable)) return undefined;
  const filters = typeof stored === 'string' ? readFilters(stored) : stored;
  if (filters === undefined || filters === null) return undefined;
  const result = renameInFilters(filters, renames);
  return result === filters ? undefined : result;
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
