import { defineConfig } from 'vitest/config';
import { isOpen } from './packages/testkit/src/databases/access.ts';
import { kits } from './packages/testkit/src/databases.ts';

/** Tests that work on the platform's own store; they run on every engine it can be in. */
const onTheStore = [
  'packages/server/src/store/store.test.ts',
  'packages/server/src/{audit,records,resources}/**/*.test.ts',
  'packages/server/src/identity/!(passwords|throttle|tokens).test.ts',
  'packages/server/src/services/{system,user}/*.test.ts',
  'packages/server/src/http/door.test.ts',
  'packages/server/src/database/extras/kept.test.ts',
];

/** The engines there is a server or a program of; tests that need one say themselves that they are left out. */
const engines = [];
for (const kit of Object.values(kits))
  if (process.env[kit.variable] || kit.program() || (await isOpen(kit.defaultPort))) engines.push(kit.engine);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          globalSetup: 'packages/testkit/src/databases/for-the-run.ts',
          include: ['packages/{contract,sql,server,testkit}/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      ...engines.map((engine) => ({
        test: {
          name: `store-${engine}`,
          globalSetup: `packages/testkit/src/store-server/${engine}.ts`,
          include: onTheStore,
          env: { SLUICE_TEST_STORE: engine },
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      })),
      'packages/console',
    ],
  },
});
