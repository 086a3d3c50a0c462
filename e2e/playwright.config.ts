import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Debian's browser where it is installed, else the one Playwright brought itself.
const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find((path) => path && existsSync(path));

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 2,
  fullyParallel: false,
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
    trace: 'retain-on-failure',
    launchOptions: { args: ['--no-sandbox'], ...(executablePath ? { executablePath } : {}) },
  },
});
