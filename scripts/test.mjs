// npm test: everything CI checks, on a fresh clone too. Each step is run even when an earlier one failed; the last line sums up.
// With CI=true what is missing gets installed, and a skip is a failure.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { install, requireNode, root } from './prepare.mjs';
import { failuresOf, reportFolder, setUpFailures } from './reports.mjs';
import { run, since, tool } from './run.mjs';

requireNode();
install();

const { browserInstallLine, findBrowser, installBrowser } = await import('./browser.mjs');
const { installLine, installServers, missingServers } = await import('./databases.mjs');
const isCi = /^(1|true)$/i.test(process.env.CI ?? '');
const reports = join(root, reportFolder);
const start = performance.now();
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const script = (name, ...args) => [process.execPath, join(root, 'scripts', `${name}.mjs`), ...args];

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

await step('format and lint', () => check([...tool('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.']));
await step('rooms', () => check(script('rooms')));
await step('words', () => check(script('words')));
await step('types', () => check(script('types')));
await step('generated docs', () => check(script('docs', '--check')));
await databaseServers();
await step('unit and integration', unitTests);
const built = await step('build', () => check(script('build')));
await step('journeys', () => (built.failed === 0 ? journeys() : skip('nothing to try: the build failed')));
await step('proof', () => check(script('spec', '--check', ...(isCi ? ['--complete'] : []))));

// At the end too: it is all that some who run this keep of the output.
for (const failure of failures.slice(0, 50)) console.log(`FAILED ${failure}`);
console.log(`\nTook ${since(start)}.`);
if (isCi && total.skipped > 0) console.log('With CI=true a skip is a failure.');
const isGood = total.failed === 0 && total.passed > 0 && !(isCi && total.skipped > 0);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = isGood ? 0 : 1;

/** Runs a step, prints how it went and how long it took, and adds its counts to the total. */
async function step(name, work) {
  console.log(`\n── ${name}`);
  const from = performance.now();
  const counts = await work();
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (counts.failed > 0) failures.push(...(counts.failures?.length > 0 ? counts.failures : [name]));
  console.log(`── ${name}: ${counts.failed === 0 ? 'ok' : 'FAILED'} (${since(from)})`);
  return counts;
}

/** A command that counts as one check. */
async function check(command) {
  const { code } = await run(command);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function unitTests() {
  const file = join(reports, 'vitest.json');
  const { code } = await run([
    ...tool('vitest'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--reporter=${join(root, 'scripts', 'set-up-reporter.mjs')}`,
    `--outputFile.json=${file}`,
  ]);
  const counts = counted(code, file, (report) => ({
    passed: report.numPassedTests,
    // A file that could not even be loaded holds no test that failed.
    failed: report.numFailedTests + report.testResults.filter(isBrokenFile).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }));
  return { ...counts, failures: [...setUpFailuresOf(), ...(counts.failures ?? [])] };
}

function setUpFailuresOf() {
  const file = join(reports, setUpFailures);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

function isBrokenFile({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((it) => it.status === 'failed');
}

/** With CI=true installs the servers that are missing; else says what the tests will skip, which they count themselves. */
async function databaseServers() {
  if (isCi) {
    const missing = await missingServers();
    if (missing.length > 0) await installServers(missing);
  }
  const missing = await missingServers();
  if (missing.length === 0) return;
  const labels = missing.map(({ label }) => label).join(', ');
  console.log(`\nTests with ${labels} are left out. To install what they want: ${installLine(missing)}`);
}

async function journeys() {
  if (isCi && !(await findBrowser())) await installBrowser();
  const browser = await findBrowser();
  const file = join(reports, 'journeys.json');
  const command = [...tool('@playwright/test', 'playwright'), 'test', '--config', 'e2e/playwright.config.ts'];
  // What is done to the server without a page can be tried without a browser.
  if (!browser) command.push('soundness');
  const { code } = await run(command, { env: { CHROMIUM_PATH: browser ?? '', SLUICE_E2E_JSON: file } });
  const without = browser
    ? 0
    : skip(`journeys through pages: no browser. To install one: ${browserInstallLine}`).skipped;
  return counted(code, file, ({ stats, errors }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped + without,
  }));
}

function skip(why) {
  console.log(`Skipped: ${why}`);
  return { passed: 0, failed: 0, skipped: 1 };
}

/** The counts of a runner's report; a runner that failed without a failed test, or ran none, is one failure. */
function counted(code, file, read) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const counts = { ...read(report), failures: failuresOf(report) };
    if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) return { ...counts, failed: 1 };
    return counts;
  } catch (error) {
    console.error(`No report of the run: ${error.message}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
