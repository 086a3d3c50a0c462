// What there is of what limits name, by few statements for many limits.
import { anyTable, maxListValues } from '../../records/rows.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { StoredRow } from '../../resource/resource.ts';
import type { Db } from '../../store/index.ts';
import type { KnownTargets, LimitDraft } from './draft.ts';

/** Looks up what drafts name; `withLimits`: and the limits that have their keys. */
export async function knownTargets(db: Db, drafts: LimitDraft[], withLimits = false): Promise<KnownTargets> {
  const existing = async (table: string, ids: unknown[]) =>
    new Set((await selectIn(db, table, 'id', ids, ['id'])).map(({ id }) => id));
  const [users, roles, services] = [
    await existing(
      'user',
      drafts.map(({ scope }) => scope.user_id),
    ),
    await existing(
      'role',
      drafts.map(({ scope }) => scope.role_id),
    ),
    await existing(
      'service',
      drafts.map(({ scope }) => scope.service_id),
    ),
  ];
  if (!withLimits) return { users, roles, services };
  const rows = await selectIn(
    db,
    'limit',
    'key_text',
    drafts.map(({ key }) => key),
    ['id', 'key_text'],
  );
  return { users, roles, services, limits: new Map(rows.map((row) => [String(row.key_text), Number(row.id)])) };
}

async function selectIn(db: Db, table: string, column: string, values: unknown[], columns: string[]) {
  const wanted = [...new Set(values.filter((value) => !isEmpty(value)))];
  const rows: StoredRow[] = [];
  for (let at = 0; at < wanted.length; at += maxListValues) {
    const part = wanted.slice(at, at + maxListValues);
    rows.push(...(await anyTable(db).selectFrom(table).select(columns).where(column, 'in', part).execute()));
  }
  return rows;
}
