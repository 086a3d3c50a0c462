// The numbered steps that make the store what this version expects. A released step is never edited: add a new one.
// Each is idempotent and journalled in the table `migration`; they run at start under one lock.
import type { Kysely } from 'kysely';
import { StartError } from '../../settings/start-error.ts';
import type { BusLog } from '../bus/bus.ts';
import type { StoreDialect } from '../dialects/index.ts';
import { first } from './0001-first.ts';
import { changeNotices } from './0002-change-notices.ts';
import { templatesCustomAudit } from './0003-templates-custom-audit.ts';
import { databaseExtras } from './0004-database-extras.ts';
import { uniqueNames } from './0005-unique-names.ts';
import { emailSkeleton } from './0006-email-skeleton.ts';
import { schemaVersion } from './0007-schema-version.ts';
import { use } from './0008-use.ts';
import { cors } from './0009-cors.ts';
import { jobs } from './0010-jobs.ts';
import { limits } from './0011-limits.ts';
import { accounts } from './0012-accounts.ts';
import { templateReplies } from './0013-template-replies.ts';
import { scripts } from './0014-scripts.ts';
import { jobSubject } from './0016-job-subject.ts';
import { externalSignIn } from './0017-external-sign-in.ts';
import { cacheValues } from './0020-cache-values.ts';
import { roleAdldap } from './0021-role-adldap.ts';
import { messageSubscriptions } from './0023-message-subscriptions.ts';
import { deviceTokens } from './0024-device-tokens.ts';

/** Where a step logs which rows it had to change; a line each, without values that may be secret. */
export type MigrationLog = Pick<BusLog, 'warn'>;

export interface Migration {
  number: number;
  name: string;
  up(db: Kysely<unknown>, dialect: StoreDialect, log: MigrationLog): Promise<void>;
}

export const migrations: Migration[] = [
  { number: 1, name: 'first', up: first },
  { number: 2, name: 'change-notices', up: changeNotices },
  { number: 3, name: 'templates-custom-audit', up: templatesCustomAudit },
  { number: 4, name: 'database-extras', up: databaseExtras },
  { number: 5, name: 'unique-names', up: uniqueNames },
  { number: 6, name: 'email-skeleton', up: emailSkeleton },
  { number: 7, name: 'schema-version', up: schemaVersion },
  { number: 8, name: 'use', up: use },
  { number: 9, name: 'cors', up: cors },
  { number: 10, name: 'jobs', up: jobs },
  { number: 11, name: 'limits', up: limits },
  { number: 12, name: 'accounts', up: accounts },
  { number: 13, name: 'template replies', up: templateReplies },
  { number: 14, name: 'scripts', up: scripts },
  { number: 16, name: 'job subject', up: jobSubject },
  { number: 17, name: 'external sign-in', up: externalSignIn },
  { number: 20, name: 'cache values', up: cacheValues },
  { number: 21, name: 'role adldap', up: roleAdldap },
  { number: 23, name: 'message subscriptions', up: messageSubscriptions },
  { number: 24, name: 'device tokens', up: deviceTokens },
];

interface Journal {
  migration: { number: number; name: string; applied_at: string };
}

/**
 * Brings the store up to date; returns the numbers of the steps that ran.
 * @throws StartError when the store was written by a newer version.
 */
export function migrate(
  db: Kysely<unknown>,
  dialect: StoreDialect,
  log: MigrationLog,
  steps: Migration[] = migrations,
): Promise<number[]> {
  return dialect.exclusively(db, async (locked) => {
    const store = locked as Kysely<Journal>;
    const { integer, text } = dialect.types;
    const table = store.schema
      .createTable('migration')
      .ifNotExists()
      .addColumn('number', integer, (column) => column.primaryKey())
      .addColumn('name', text(255), (column) => column.notNull())
      .addColumn('applied_at', text(32), (column) => column.notNull());
    await (dialect.tableSuffix ? table.modifyEnd(dialect.tableSuffix) : table).execute();
    const journal = await store.selectFrom('migration').select('number').execute();
    const applied = new Set(journal.map((row) => row.number));
    const newestNumber = Math.max(0, ...steps.map((step) => step.number));
    const found = Math.max(0, ...applied);
    if (found > newestNumber) {
      throw new StartError(
        `The store was written by a newer version of Sluice (schema ${found}, this version knows ${newestNumber}). Start the newer version, or restore a backup made by this one.`,
      );
    }
    const pending = steps.filter((step) => !applied.has(step.number));
    for (const { number, name, up } of pending) {
      await up(locked, dialect, log);
      await store.insertInto('migration').values({ number, name, applied_at: new Date().toISOString() }).execute();
    }
    return pending.map((step) => step.number);
  });
}
