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
import {
  checkNewName,
  isAliasMove,
  subjectsOf,
  type TableMove,
  type UsageSubject,
  type UsageTable,
} from './subject.ts';

/** A table, and what of it moves in one change; none where it stays as it is. */
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
  const findBeyondRoles = async (stored: StoredExtras, table: UsageTable) => {
    const elsewhere: StoredExtras[] = [];
    for (const service of await servicesLeadingTo(store.db, table)) elsewhere.push(await readStored(store.db, service));
    const foreignKeys = await findForeignKeys(openService, table);
    return (subject: UsageSubject): UsageEntry[] => [
      ...findInExtras(stored, subject),
      ...elsewhere.flatMap((other) => findInRelations(other, subject)),
      ...foreignKeys(subject.field),
    ];
  };

  return {
    async find(table, moves) {
      const stored = await readStored(store.db, table.service);
      const subjects = subjectsOf(stored, table, moves);
      const inRoles = await findInRoles(store.db, subjects);
      // An alias is a name of the API: the others go by those of the database.
      const beyondRoles = subjects.every(({ isAliasOnly }) => isAliasOnly)
        ? () => []
        : await findBeyondRoles(stored, table);
      return subjects.map((subject, index) =>
        limitEntries([...(inRoles[index] ?? []), ...(subject.isAliasOnly ? [] : beyondRoles(subject))]),
      );
    },
    async findFiltered(table, fields) {
      const stored = await readStored(store.db, table.service);
      const moves = fields.map((field) => ({ field }));
      const [found] = await findFiltered(store.db, subjectsOf(stored, table, moves));
      return found?.field;
    },
    async follow(actor, db, moved) {
      const [first] = moved;
      if (!first) return async () => {};
      for (const { table, moves } of moved)
        for (const move of moves)
          if (move.newName !== undefined && !isAliasMove(table.table, move))
            checkNewName(move.field ?? table.table, move.newName);
      const { service } = first.table;
      const stored = await readStored(db, service);
      const subjects = moved.map(({ table, moves }) => subjectsOf(stored, table, moves));
      const roles = await renameInRoles({ call: actor, db, store, records }, service, subjects);
      const changed = new Set<number>();
      const beyondRoles = subjects
        .map((ofTable) => ofTable.filter(({ isAliasOnly }) => !isAliasOnly))
        .filter((ofTable) => ofTable.length > 0);
      if (beyondRoles.length > 0)
        for (const other of await servicesLeadingTo(db, { service }))
          for (const ofTable of beyondRoles)
            if (await changeStored(actor, db, other, planElsewhere(ofTable))) changed.add(other);
      return async () => {
        await roles.publish();
        if (changed.size > 0) await store.bus.publish(extrasNotice([...changed]));
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

export { isAliasMove, type TableMove, type UsageTable } from './subject.ts';
