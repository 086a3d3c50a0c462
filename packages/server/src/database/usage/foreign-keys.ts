// Foreign keys of other tables that lead to a table, as the database describes them. The database itself keeps them.
import type { MaybePromise, UsageEntry } from '@sluice/contract';
import type { Service } from '../../service/service.ts';
import { databaseParts } from '../parts.ts';
import { tell } from './entry.ts';
import type { UsageTarget } from './subject.ts';

/** Those that lead to the table, or to the field of it. */
export async function findForeignKeys(
  openService: (id: number) => MaybePromise<Service>,
  { service: id, table, field }: UsageTarget,
): Promise<UsageEntry[]> {
  const database = (await openService(id)).provided(databaseParts);
  if (!database) return [];
  const { description } = await database.tables.withoutOverrides(table);
  return description.related
    .filter(({ type, ref_table }) => (type === 'has_many' || type === 'has_one') && ref_table !== description.name)
    .filter((relation) => field === undefined || relation.field.split(',').includes(field))
    .map(({ ref_table, ref_field }) => ({
      kind: 'foreignKey',
      id,
      name: database.context.name,
      ...tell('foreignKey', { table: ref_table, fields: ref_field.replaceAll(',', ', ') }),
      onRename: 'follows',
      onDrop: 'stays',
    }));
}
