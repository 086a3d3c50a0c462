// npm run soak: what needs length. `-- abuse`: the built server for an hour (SOAK_MINUTES) under nasty calls, kills and a
// store that goes away (SOAK_STORE: pgsql, mysql or sqlite), with a thousand honest callers beside them. `-- tests`: the
// tests with made-up inputs and the kills of the built server in their long forms, hundreds of rounds, random millions,
// which takes hours, and the cases that the normal run leaves out; `-- packages/sql` those of one folder, `-- e2e` the
// journeys. Without a word: both.
import { install, requireNode } from './prepare.mjs';
import { run, tool } from './run.mjs';

requireNode();
install();

const { build, staleParts } = await import('./build.mjs');
const words = process.argv.slice(2);
const wantsAll = words.length === 0;
const wantsTests = wantsAll || words.includes('tests');
const folders = words.filter((word) => !['abuse', 'tests', 'e2e'].includes(word));
const env = { SLUICE_SOAK: '1' };
const results = [];

if (wantsAll || words.includes('abuse')) {
  await build(staleParts());
  const { soak } = await import('../bench/abuse/soak.mjs');
  results.push(await soak());
}
if (wantsTests || folders.length > 0)
  results.push((await run([...tool('vitest'), 'run', '--project=!console', ...folders], { env })).code === 0);
if (wantsTests || words.includes('e2e')) {
  await build(staleParts());
  const journeys = ['soundness', 'foreign-schemas', 'schema-design', 'schema-diagram', 'every-screen'];
  const command = ['test', '--config', 'e2e/playwright.config.ts', ...journeys];
  results.push((await run([...tool('@playwright/test', 'playwright'), ...command], { env })).code === 0);
}
process.exitCode = results.every(Boolean) ? 0 : 1;
