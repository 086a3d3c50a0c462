// Every change of a record goes through write-row.ts, which audits it, raises the version and tells the caches: whatever
// wants to see all changes can look there. Every other file that writes to the store changes no record, and is listed
// here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const writers: Record<string, string> = {
  'records/write-row.ts': 'the one place',
  'store/seed.ts': 'what a fresh instance holds, and what a new version adds to it',
  'store/index.ts': 'how a row is inserted, for all of them',
  'store/facts.ts': 'facts of the instance, no records',
  'audit/entry.ts': 'entries of the audit are not changed by anybody',
  'audit/purge.ts': 'old entries of the audit',
  'jobs/queue.ts': 'jobs are made and done by the platform; what a person does to one is a change of its record',
  'identity/keys.ts': 'the check value of the key, a fact of the instance',
  'identity/revoked.ts': 'tokens that ended',
  'identity/session-list.ts': 'where people are signed in, no record',
  'identity/sign-in.ts': 'when somebody signed in, and a hash of today for the same password',
  'identity/external/index.ts': 'when somebody signed in by a provider',
  'identity/external/pending.ts': 'sign-ins that are under way at a provider, no record',
  'identity/external/people.ts': 'which account of a provider is whose, no record',
  'database/extras/store.ts': 'how often the schema of a database was changed, no record',
  'database/extras/stored.ts':
    'what a service says of its tables: rows without version or dates, audited as the service',
  'database/extras/pending.ts': 'the journal of changes of databases: gone once their outcome is saved',
  'use/write.ts': 'how often services and keys are used, no record',
  'use/purge.ts': 'hours of that which are too old',
  'limits/alone.ts': 'which processes count, no record',
  'limits/database.ts': 'counters of limits, no record',
  'store/counter-tables.ts': 'counters of limits, no record',
  'scripts/values.ts': 'what scripts keep for a while, no record',
  'messages/stored.ts': 'calls that messages lead to, each of their own caller, no record',
  'push/tokens.ts': 'devices that get notifications, no record',
  'services/cache_local/stored-values.ts': 'values of caches, no record',
  'services/user/custom.ts': 'what people keep for themselves, each for their own',
  'services/sqlite/world/service.ts': 'the service of the sample data, at the start of a demo',
};

it('only these files write to the store', () => {
  const source = join(import.meta.dirname, '..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) =>
        file.endsWith('.ts') && !/\.(test|fixture)\.ts$|^store\/(migrations|dialects|bus)\/|\/fixture\//.test(file),
    )
    .filter((file) =>
      /\b(insertInto|updateTable|deleteFrom|store\.insert)\(/.test(readFileSync(join(source, file), 'utf8')),
    );
  expect(files.sort()).toEqual(Object.keys(writers).sort());
});
