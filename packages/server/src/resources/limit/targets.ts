// What there is of what limits name, by few statements for many limits.
import { limit, role, service, user } from '@sluice/contract';
import { findRows } from '../../records/rows.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { ServedResource } from '../../resource/resource.ts';
import type { Db } from '../../store/index.ts';
import type { LimitDraft, Targets } from './draft.ts';

type Resource = Pick<ServedResource, 'table' | 'definition'>;

/** Looks up what drafts name; `withLimits`: and the limits that have their keys. */
export async function findTargets(db: Db, drafts: LimitDraft[], withLimits = false): Promise<Targets> {
  const find = (resource: Resource, column: string, values: unknown[], columns: string[]) =>
    findRows(db, resource, column, [...new Set(values.filter((value) => !isEmpty(value)))], columns);
  const idsOf = async (resource: Resource, field: 'user_id' | 'role_id' | 'service_id') => {
    const ids = drafts.map(({ scope }) => scope[field]);
    return new Set((await find(resource, 'id', ids, ['id'])).map(({ id }) => id));
  };
  const targets = {
    users: await idsOf({ table: 'user', definition: user }, 'user_id'),
    roles: await idsOf({ table: 'role', definition: role }, 'role_id'),
    services: await idsOf({ table: 'service', definition: service }, 'service_id'),
  };
  if (!withLimits) return targets;
  const keys = drafts.map(({ key }) => key);
  const rows = await find({ table: 'limit', definition: limit }, 'key_text', keys, ['id', 'key_text']);
  return { ...targets, limits: new Map(rows.map((row) => [String(row.key_text), Number(row.id)])) };
}
