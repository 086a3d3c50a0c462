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
import type { StoredExtras } from '../extras/rows.ts';
import { changeStored, extrasNotice } from '../extras/store.ts';
import { readStored } from '../extras/stored.ts';
import { limitEntries } from './entry.ts';
import { findInExtras, findInRelationsElsewhere, servicesLeadingTo } from './extras-usage.ts';
import { findForeignKeys } from './foreign-keys.ts';
import { findInRoles, renameInRoles } from './roles.ts';
import { checkNewName, subjectOf, type UsageSubject, type UsageTarget } from './subject.ts';

/** What a rename or a drop leaves, and how the others hear of what it changed. */
export interface UsageChange {
  /** Somebody has to look at these. */
  stays: UsageEntry[];
  /**
   * Once the transaction is committed, or may have been: other processes and caches hear of it. In effect everywhere in this
   * process when it returns.
   */
  publish(): Promise<void>;
}

/**
 * Renames and drops work in a transaction of `store.exclusively`, before the rows of extras of the service itself change:
 * aliases are looked up by the old names. When they reject, the transaction has to be undone.
 */
export interface SchemaUsage {
  find(target: UsageTarget): Promise<UsageEntry[]>;
  /**
   * Everything that follows names the new one. For administrators alone, which is checked before. Throws `schema.value`
   * for a name that rows of roles could not have.
   */
  rename(actor: ChangeActor, db: Db, target: UsageTarget, newName: string): Promise<UsageChange>;
  /** Virtual relations of other services that lead there go. */
  drop(actor: ChangeActor, db: Db, target: UsageTarget): Promise<UsageChange>;
}

export interface UsageParts {
  store: Pick<Store, 'db' | 'bus' | 'sql'>;
  records: Pick<RecordEngine, 'updateOne' | 'join'>;
  /** The open service, to see which foreign keys lead to a table. */
  openService(id: number): MaybePromise<Service>;
}

export function createSchemaUsage({ store, records, openService }: UsageParts): SchemaUsage {
  /** What the store has that names it. */
  const findStored = async (
    db: Db,
    subject: UsageSubject,
    stored: StoredExtras,
    isWanted: (entry: UsageEntry) => boolean,
    newName?: string,
  ): Promise<UsageEntry[]> => {
    const elsewhere = await findInRelationsElsewhere(db, subject);
    return [
      ...(await findInRoles(db, subject, isWanted, newName)),
      ...[...findInExtras(stored, subject), ...elsewhere].filter(isWanted),
    ];
  };
  const readSubject = async (db: Db, target: UsageTarget) => {
    const stored = await readStored(db, target.service);
    return { stored, subject: subjectOf(stored, target) };
  };
  /** Rows of other services, each with its own entries in the audit. */
  const changeElsewhere = async (
    call: ChangeActor,
    db: Db,
    target: UsageTarget,
    plan: Parameters<typeof changeStored>[3],
  ): Promise<number[]> => {
    const changed: number[] = [];
    for (const service of await servicesLeadingTo(db, target))
      if (await changeStored(call, db, service, plan)) changed.push(service);
    return changed;
  };
  const publishExtras = async (services: number[]) => {
    if (services.length > 0) await store.bus.publish(extrasNotice(services));
  };

  return {
    async find(target) {
      const { stored, subject } = await readSubject(store.db, target);
      const entries = await findStored(store.db, subject, stored, () => true);
      return limitEntries([...entries, ...(await findForeignKeys(openService, target))]);
    },
    async rename(call, db, target, newName) {
      checkNewName(target, newName);
      const { stored, subject } = await readSubject(db, target);
      const stays = await findStored(db, subject, stored, ({ onRename }) => onRename === 'stays', newName);
      const roles = await renameInRoles({ call, db, store, records }, subject, newName);
      const { field } = target;
      const renames = field === undefined ? { table: newName } : { fields: new Map([[field, newName]]) };
      const services = await changeElsewhere(call, db, target, planRenamesElsewhere(subject.at, renames));
      return {
        stays: limitEntries(stays),
        async publish() {
          await roles.publish();
          await publishExtras(services);
        },
      };
    },
    async drop(call, db, target) {
      const { stored, subject } = await readSubject(db, target);
      const stays = await findStored(db, subject, stored, ({ onDrop }) => onDrop === 'stays');
      const services = await changeElsewhere(call, db, target, planDropElsewhere(subject.at, subject.fieldNames));
      return { stays: limitEntries(stays), publish: () => publishExtras(services) };
    },
  };
}

export type { UsageTarget } from './subject.ts';
