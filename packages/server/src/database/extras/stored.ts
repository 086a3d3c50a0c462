// The rows of extras in the store: reading them, and writing changes of them.
import type { ExpressionBuilder, Insertable } from 'kysely';
import type { Db, Tables } from '../../store/index.ts';
import {
  type ExtrasChange,
  ExtrasDraft,
  type ExtrasTable,
  emptyRows,
  extrasTables,
  findRow,
  type StoredExtras,
} from './rows.ts';

/** All that is stored of a service. */
export async function readStored(db: Db, service: number): Promise<StoredExtras> {
  return { service, names: await readNames(db), rows: await readRows(db, service) };
}

/** The same to be read alone: of the names of services only those that its relations lead to, as there may be thousands. */
export async function readShownExtras(db: Db, service: number): Promise<StoredExtras> {
  const rows = await readRows(db, service);
  const ids = new Set(
    rows.db_virtual_relationship.map(({ ref_service_id }) => ref_service_id).filter((id) => id !== service),
  );
  return { service, names: ids.size === 0 ? {} : await readNames(db, [...ids]), rows };
}

async function readNames(db: Db, ids?: readonly number[]): Promise<Record<number, string>> {
  const query = db.selectFrom('service').select(['id', 'name']).orderBy('id');
  const services = await (ids ? query.where('id', 'in', ids) : query).execute();
  return Object.fromEntries(services.map(({ id, name }) => [id, name]));
}

async function readRows(db: Db, service: number): Promise<StoredExtras['rows']> {
  const rows = emptyRows();
  for (const table of extrasTables) {
    const selected = await db.selectFrom(table).selectAll().where('service_id', '=', service).orderBy('id').execute();
    rows[table] = selected.map(({ id, service_id, ...row }) => row) as never;
  }
  return rows;
}

/** Carries changes out; `onChange` hears of each that finds or leaves a row. Answers what is stored then. */
export async function storeChanges(
  db: Db,
  stored: StoredExtras,
  changes: readonly ExtrasChange[],
  onChange?: (change: ExtrasChange, before: object | undefined, current: StoredExtras) => Promise<void>,
): Promise<StoredExtras> {
  const draft = new ExtrasDraft(stored);
  const { current } = draft;
  for (const change of changes) {
    const before = findRow(current, change);
    if (!before && !change.row) continue;
    await storeChange(db, stored.service, change, before !== undefined);
    await onChange?.(change, before, current);
    draft.apply(change);
  }
  return current;
}

async function storeChange(db: Db, service: number, { table, key, row }: ExtrasChange, exists: boolean): Promise<void> {
  const values = row as Insertable<Tables[ExtrasTable]> | undefined;
  if (values && !exists) {
    await db
      .insertInto(table)
      .values({ ...values, service_id: service })
      .execute();
    return;
  }
  const isSameRow = (expression: ExpressionBuilder<Tables, ExtrasTable>) =>
    expression.and([
      expression('service_id', '=', service),
      ...Object.entries(key).map(([column, value]) =>
        expression(column as 'table', value === null ? 'is' : '=', value as string),
      ),
    ]);
  if (values) await db.updateTable(table).set(values).where(isSameRow).execute();
  else await db.deleteFrom(table).where(isSameRow).execute();
}
