import { defineConfig } from '@playwright/test';
import { browser } from './browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  globalSetup: './run-folder.ts',
  workers: 2,
  // Each test goes to the next free worker; journeys of one file may meet on one instance in any order, or on two.
  fullyParallel: true,
  // A page on a busy machine may miss a key. What needed its second try is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [
    ['list'],
    ...(process.env.SLUICE_E2E_JSON ? [['json', { outputFile: process.env.SLUICE_E2E_JSON }] as const] : []),
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // Recording costs a fifth of a journey: what failed tells its page, and is recorded when it is tried again (or by --trace on).
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    // Nothing waits for what slides in or fades; sign-in.e2e.ts meets the console in motion.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { args: ['--no-sandbox', '--disable-gpu'], ...(browser ? { executablePath: browser } : {}) },
  },
});
