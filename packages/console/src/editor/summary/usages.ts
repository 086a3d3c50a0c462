// What stands beside an editor: by whom a record is used. A line for each kind of record that uses it, read from the relations
// that the resource declares.
import { api } from '../../api/index.ts';

/** The words of a kind are `editor:summary.used.<kind>`. */
export type UsageKind = 'apps' | 'users' | 'roles';

interface UsageRelation {
  kind: UsageKind;
  /** The resource of the records that use it. */
  resource: 'app' | 'user' | 'role';
  relation: string;
  /** Where a row of the relation has their id. */
  idField: string;
}

export const usageRelations: ReadonlyMap<string, readonly UsageRelation[]> = new Map([
  [
    'role',
    [
      { kind: 'apps', resource: 'app', relation: 'app_by_role_id', idField: 'id' },
      { kind: 'users', resource: 'user', relation: 'user_to_app_to_role_by_role_id', idField: 'user_id' },
    ],
  ],
  [
    'service',
    [
      { kind: 'roles', resource: 'role', relation: 'role_service_access_by_service_id', idField: 'role_id' },
      { kind: 'apps', resource: 'app', relation: 'app_by_storage_service_id', idField: 'id' },
    ],
  ],
  ['app', [{ kind: 'users', resource: 'user', relation: 'user_to_app_to_role_by_app_id', idField: 'user_id' }]],
  ['user', personRelations()],
  ['admin', personRelations()],
]);

function personRelations(): UsageRelation[] {
  const relation = 'user_to_app_to_role_by_user_id';
  return [
    { kind: 'apps', resource: 'app', relation, idField: 'app_id' },
    { kind: 'roles', resource: 'role', relation, idField: 'role_id' },
  ];
}

/** So many are named; of the others, how many there are. */
const maxNamed = 5;

export interface RecordUsage {
  kind: UsageKind;
  resource: UsageRelation['resource'];
  count: number;
  named: { id: number; name: string }[];
}

export interface RecordFacts {
  created: string | null;
  changed: string | null;
  usages: RecordUsage[];
}

type Rows = Record<string, unknown>[];

/** When a record was made and changed, and what uses it. */
export async function readFacts(resource: string, id: string, signal: AbortSignal): Promise<RecordFacts> {
  const relations = usageRelations.get(resource) ?? [];
  const related = [...new Set(relations.map(({ relation }) => relation))].join(',');
  const record = await api.get<Record<string, unknown>>(`system/${resource}/${encodeURIComponent(id)}`, {
    query: { fields: 'id,created_date,last_modified_date', related },
    signal,
  });
  const usages = relations.map(async ({ relation, idField, ...usage }): Promise<RecordUsage> => {
    const rows = Array.isArray(record[relation]) ? (record[relation] as Rows) : [];
    const ids = [...new Set(rows.map((row) => Number(row[idField])).filter((value) => value > 0))];
    return { ...usage, count: ids.length, named: await readNames(usage.resource, ids.slice(0, maxNamed), signal) };
  });
  return {
    created: textOf(record.created_date),
    changed: textOf(record.last_modified_date),
    usages: await Promise.all(usages),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

async function readNames(resource: string, ids: number[], signal: AbortSignal): Promise<RecordUsage['named']> {
  if (ids.length === 0) return [];
  const { resource: found } = await api.get<{ resource: { id: number; name: string }[] }>(`system/${resource}`, {
    query: { fields: 'id,name', filter: `id in (${ids.join(',')})`, limit: maxNamed },
    signal,
  });
  return found;
}

/** By whom it was changed last, as the audit has it; null where it says nothing of it. */
export async function readLastChange(resource: string, id: string, signal: AbortSignal): Promise<string | null> {
  const { resource: entries } = await api.get<{ resource: { user_email: string | null }[] }>('system/audit', {
    query: {
      fields: 'user_email',
      filter: `(resource = "${resource}") and (record_id = "${Number(id)}") and (action in ("create","update"))`,
      order: 'id desc',
      limit: 1,
    },
    signal,
  });
  return entries[0]?.user_email ?? null;
}
