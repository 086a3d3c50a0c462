// Foreign keys of other tables that lead to a table, as the database describes them. The database itself keeps them.
import type { MaybePromise, UsageEntry } from '@sluice/contract';
import type { Service } from '../../service/service.ts';
import { databaseParts } from '../parts.ts';
import { tell } from './entry.ts';
import type { UsageTable } from './subject.ts';

/** Answers which lead to the table, or to a field of it. */
export async function findForeignKeys(
  openService: (id: number) => MaybePromise<Service>,
  { service: id, table }: UsageTable,
): Promise<(field: string | undefined) => UsageEntry[]> {
  const database = (await openService(id)).provided(databaseParts);
  if (!database) return () => [];
  const { description } = await database.tables.withoutOverrides(table);
  const keys = description.related
    .filter(({ type, ref_table }) => (type === 'has_many' || type === 'has_one') && ref_table !== description.name)
    .map((relation) => ({ ...relation, fields: relation.field.split(',') }));
  return (field) =>
    keys
      .filter(({ fields }) => field === undefined || fields.includes(field))
      .map(({ ref_table, ref_field }) => ({
        kind: 'foreignKey',
        id,
        name: database.context.name,
        ...tell('foreignKey', { table: ref_table, fields: ref_field.replaceAll(',', ', ') }),
        onRename: 'follows',
        onDrop: 'stays',
      }));
}
