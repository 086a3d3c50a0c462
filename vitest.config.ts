import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { isOpen } from './packages/testkit/src/databases/access.ts';
import { isQuick } from './packages/testkit/src/databases/quick.ts';
import { kits } from './packages/testkit/src/databases.ts';
import { soakCases, soakRounds } from './packages/testkit/src/soak.ts';

/** Tests whose outcome depends on the engine of the platform's own store; they run on every engine it can be in. */
const onTheStore = [
  'packages/server/src/store/store.test.ts',
  'packages/server/src/records/!(cells|heavy-store|pause).test.ts',
  'packages/server/src/identity/!(fair-queue|over-http|passwords|throttle|tokens).test.ts',
  'packages/server/src/audit/{changes,purge,sign-ins}.test.ts',
  'packages/server/src/resources/{people,system,use}.test.ts',
  'packages/server/src/resources/{custom,lookup,user}/*.test.ts',
  'packages/server/src/database/extras/store.test.ts',
  'packages/server/src/database/usage/usage.test.ts',
];

/** Those that use the store as any caller of its layers does: on SQLite in the normal run, on the others in a soak. */
const onTheStoreInSoak = [
  'packages/server/src/records/{cells,heavy-store,pause}.test.ts',
  'packages/server/src/audit/{over-http,shorten}.test.ts',
  'packages/server/src/resources/{access,app,cache,email_template,role,service}/*.test.ts',
  'packages/server/src/services/user/*.test.ts',
  'packages/server/src/http/door.test.ts',
];

/** What `npm run quick` leaves out: what needs a server goes by itself, these would take its time. */
const notQuick = [
  'packages/server/src/processes*.test.ts',
  'packages/server/src/access/explain.live.test.ts',
  'packages/server/src/database/**/over-http*.test.ts',
  'packages/server/src/database/attacks/**',
  'packages/server/src/database/record-filter/record-filter.property.test.ts',
  'packages/server/src/database/schema/wide.test.ts',
  'packages/server/src/http/metrics*.test.ts',
  'packages/server/src/services/sqlite/**',
  'packages/testkit/src/client/{examples,live}.test.ts',
  'packages/testkit/src/databases.test.ts',
  'scripts/client.test.ts',
];

/** The engines there is a server or a program of; tests that need one say themselves that they are left out. */
const engines = [];
for (const kit of isQuick ? [] : Object.values(kits))
  if (process.env[kit.variable] || kit.program() || (await isOpen(kit.defaultPort))) engines.push(kit.engine);

/**
 * Files share a process and what they import: starting one for each costs more than most tests do. They leave nothing
 * behind that the next would meet.
 */
const shared = {
  isolate: false,
  setupFiles: ['packages/testkit/src/seeded.ts', 'packages/sql/src/dialects/sqlite/children/bundled.fixture.ts'],
  // What grows by the square takes minutes; a machine that is slow, or busy, takes three times what a quiet one does.
  testTimeout: soakRounds(60_000, 3_600_000),
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    // One more than there are cores: tests of servers and processes wait for these half of their time.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    projects: [
      {
        test: {
          ...shared,
          name: 'server',
          globalSetup: [
            'scripts/built-server.mjs',
            ...(isQuick ? [] : ['packages/testkit/src/databases/for-the-run.ts']),
          ],
          include: ['packages/{contract,client,sql,server,testkit}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...(isQuick ? notQuick : [])],
        },
      },
      ...engines.map((engine) => ({
        test: {
          ...shared,
          name: `store-${engine}`,
          globalSetup: `packages/testkit/src/store-server/${engine}.ts`,
          include: soakCases(onTheStore, onTheStoreInSoak),
          env: { SLUICE_TEST_STORE: engine },
        },
      })),
      'packages/console',
    ],
  },
});
