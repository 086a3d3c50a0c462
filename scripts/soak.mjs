// npm run soak: what needs length. The tests with made-up inputs and the kills of the built server go their long forms:
// hundreds of rounds, random millions. Takes hours; `npm run soak -- packages/sql` for one folder, `-- e2e` for the kills.
import { install, requireNode } from './prepare.mjs';
import { run, tool } from './run.mjs';

requireNode();
install();

const { build, staleParts } = await import('./build.mjs');
const filters = process.argv.slice(2);
const wantsJourneys = filters.length === 0 || filters.includes('e2e');
const folders = filters.filter((filter) => filter !== 'e2e');
const env = { SLUICE_SOAK: '1' };
const codes = [];

if (filters.length === 0 || folders.length > 0)
  codes.push((await run([...tool('vitest'), 'run', '--project=!console', ...folders], { env })).code);
if (wantsJourneys) {
  await build(staleParts());
  const journeys = ['test', '--config', 'e2e/playwright.config.ts', 'soundness', 'foreign-schemas'];
  codes.push((await run([...tool('@playwright/test', 'playwright'), ...journeys], { env })).code);
}
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
