// What of the instance names a table or a field of a database service: rows of roles, their record filters, extras, relations
// of this and other services, foreign keys. Says where, and lets all of it follow a rename or a drop. The rows of extras of
// the service itself are planned beside it (extras/plan-rename.ts, extras/plan-drop.ts), since they change with what else is
// sent of the table.
import type { MaybePromise, UsageEntry } from '@sluice/contract';
import type { RecordEngine } from '../../records/index.ts';
import type { Service } from '../../service/service.ts';
import type { Db, Store } from '../../store/index.ts';
import type { ChangeActor } from '../extras/extras.ts';
import { planDropElsewhere } from '../extras/plan-drop.ts';
import { planRenamesElsewhere } from '../extras/plan-rename.ts';
import { type ExtrasChange, type StoredExtras, withChanges } from '../extras/rows.ts';
import { changeStored, extrasNotice } from '../extras/store.ts';
import { readStored } from '../extras/stored.ts';
import { limitEntries } from './entry.ts';
import { findInExtras, findInRelations, servicesLeadingTo } from './extras-usage.ts';
import { findForeignKeys } from './foreign-keys.ts';
import { findFiltered, findInRoles, renameInRoles } from './roles.ts';
import { checkNewName, subjectsOf, type TableMove, type UsageSubject, type UsageTable } from './subject.ts';

/** A table, and what of it moves in one change. */
export interface MovedTable {
  table: UsageTable;
  moves: TableMove[];
}

export interface SchemaUsage {
  /** Where each of them is named; with a new name also where that stands already. */
  find(table: UsageTable, moves: readonly TableMove[]): Promise<UsageEntry[][]>;
  /** The first of these fields of a table that a record filter of a role goes by. */
  findFiltered(table: UsageTable, fields: readonly string[]): Promise<string | undefined>;
  /**
   * Everything that follows names the new one; virtual relations of other services that lead to what is dropped go. Works in
   * a transaction of `store.exclusively`, before the rows of extras of the service itself change: aliases are looked up by the
   * old names. When it rejects, the transaction has to be undone. Renames are for administrators alone, which is checked
   * before. Throws `schema.value` for a name that rows of roles could not have.
   *
   * What it answers is called once the transaction is committed, or may have been: other processes and caches hear of it. In
   * effect everywhere in this process when it returns.
   */
  follow(actor: ChangeActor, db: Db, moved: readonly MovedTable[]): Promise<() => Promise<void>>;
}

export interface UsageParts {
  store: Pick<Store, 'db' | 'bus' | 'sql'>;
  records: Pick<RecordEngine, 'updateOne' | 'join'>;
  /** The open service, to see which foreign keys lead to a table. */
  openService(id: number): MaybePromise<Service>;
}

export function createSchemaUsage({ store, records, openService }: UsageParts): SchemaUsage {
  /** All that is read is read once, however much moves. */
  const followOne = async (actor: ChangeActor, db: Db, { table, moves }: MovedTable) => {
    for (const { field, newName } of moves) if (newName !== undefined) checkNewName(field ?? table.table, newName);
    const subjects = subjectsOf(await readStored(db, table.service), table, moves);
    const roles = await renameInRoles({ call: actor, db, store, records }, subjects);
    const changed: number[] = [];
    for (const service of await servicesLeadingTo(db, table))
      if (await changeStored(actor, db, service, planElsewhere(subjects))) changed.push(service);
    return async () => {
      await roles.publish();
      if (changed.length > 0) await store.bus.publish(extrasNotice(changed));
    };
  };

  return {
    async find(table, moves) {
      const stored = await readStored(store.db, table.service);
      const subjects = subjectsOf(stored, table, moves);
      const elsewhere: StoredExtras[] = [];
      for (const service of await servicesLeadingTo(store.db, table))
        elsewhere.push(await readStored(store.db, service));
      const inRoles = await findInRoles(store.db, subjects);
      const foreignKeys = await findForeignKeys(openService, table);
      return subjects.map((subject, index) =>
        limitEntries([
          ...(inRoles[index] ?? []),
          ...findInExtras(stored, subject),
          ...elsewhere.flatMap((other) => findInRelations(other, subject)),
          ...foreignKeys(subject.field),
        ]),
      );
    },
    async findFiltered(table, fields) {
      const stored = await readStored(store.db, table.service);
      const moves = fields.map((field) => ({ field }));
      const [found] = await findFiltered(store.db, subjectsOf(stored, table, moves));
      return found?.field;
    },
    async follow(actor, db, moved) {
      const notices: (() => Promise<void>)[] = [];
      for (const each of moved) notices.push(await followOne(actor, db, each));
      return async () => {
        for (const publish of notices) await publish();
      };
    },
  };
}

/** What becomes of the rows of another service: those that lead to what is dropped go, the others have the new names. */
function planElsewhere(subjects: readonly UsageSubject[]): (stored: StoredExtras) => ExtrasChange[] {
  const [first] = subjects;
  const fields = new Map<string, string>();
  let newTable: string | undefined;
  for (const { field, newName } of subjects)
    if (newName !== undefined) {
      if (field === undefined) newTable = newName;
      else fields.set(field, newName);
    }
  const dropped = subjects.filter(({ newName }) => newName === undefined);
  return (stored) => {
    if (!first) return [];
    const drops = dropped.flatMap(({ at, fieldNames }) => planDropElsewhere(at, fieldNames)(stored));
    const draft = withChanges(stored, drops);
    const renames = planRenamesElsewhere(first.at, { ...(newTable === undefined ? {} : { table: newTable }), fields });
    return [...drops, ...renames(draft)];
  };
}

export type { TableMove, UsageTable } from './subject.ts';
