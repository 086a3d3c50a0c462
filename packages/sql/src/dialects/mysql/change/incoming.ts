import type { PlannedState } from './state.ts';
import type { Native } from './table-text.ts';

/** Other tables with foreign keys to a table, whatever database they are in. */
export async function readIncoming(
  { context, database }: PlannedState,
  target: Native,
): Promise<{ native: Native; name: string }[]> {
  const schema = target.schema ?? database;
  const rows = await context.runQuery(
    `select distinct table_schema, table_name from information_schema.key_column_usage
     where referenced_table_schema = ? and referenced_table_name = ? order by table_schema, table_name`,
    [schema, target.name],
  );
  return rows.flatMap(([tableSchema, name]) =>
    tableSchema === schema && name === target.name
      ? []
      : [
          {
            native: { schema: tableSchema === database ? null : String(tableSchema), name: String(name) },
            name: String(name),
          },
        ],
  );
}
