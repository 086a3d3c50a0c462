// What the runners' JSON reports say of each test: vitest's and Playwright's, told apart by their shape.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Where in the repository a full run (npm test) leaves its reports. */
export const reportFolder = '.cache/reports';

/** The file there with why set-ups failed, a line each (set-up-reporter.mjs). */
export const setUpFailures = 'set-up-failures.txt';

/** The tests and test files of all reports in a folder; undefined when there is none. */
export function readReports(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  if (names.length === 0) return undefined;
  return mergeReports(names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}

/**
 * Each test of the reports once: where it is, its own title, how it went. One file may be run several times, once on each
 * engine; such a test passed when it passed somewhere and failed nowhere. Files include those that could not be loaded.
 */
export function mergeReports(reports) {
  const parts = reports.map((report) => ('testResults' in report ? ofVitest(report) : ofPlaywright(report)));
  const tests = new Map();
  for (const { path, ...test } of parts.flatMap((part) => part.tests)) {
    const key = [test.file, ...path].join('\n');
    tests.set(key, { ...test, status: mergeStatus(test.status, tests.get(key)?.status) });
  }
  return { tests: [...tests.values()], files: new Set(parts.flatMap((part) => part.files)) };
}

/** What failed in one report, a line each: where, and the first words of why. A set-up that failed is no test of its own. */
export function failuresOf(report) {
  const found =
    'testResults' in report ? vitestFailures(report) : report.suites.flatMap((it) => journeyFailures(it, []));
  return found.map(({ where, why }) => `${where}: ${plain(why)}`);
}

function vitestFailures({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        where: `${pathInRepository(name)} › ${fullName}`,
        why: failureMessages[0],
      })),
  );
}

function journeyFailures({ title, specs = [], suites = [] }, above) {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter((test) => journeyStatus(test) === 'failed')
      .map(({ results = [] }) => ({
        where: ['e2e', ...path, spec.title].join(' › '),
        why: results.flatMap(({ errors = [] }) => errors)[0]?.message,
      })),
  );
  return [...own, ...suites.flatMap((suite) => journeyFailures(suite, path))];
}

/** The first words of a message, without the colours of a terminal. */
const plain = (message = 'it did not say why') => stripVTControlCharacters(message).replace(/\s+/g, ' ').slice(0, 300);

/** A failure outweighs a success, and a success outweighs a skip. */
const mergeStatus = (...statuses) => ['failed', 'passed', 'skipped'].find((status) => statuses.includes(status));

function ofVitest({ testResults }) {
  const files = testResults.map(({ name }) => pathInRepository(name));
  const tests = testResults.flatMap(({ assertionResults }, index) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: files[index],
      path: [...ancestorTitles, title],
      title,
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
      isJourney: false,
    })),
  );
  return { tests, files };
}

function ofPlaywright({ suites }) {
  const tests = suites.flatMap((suite) => journeysOf(suite, []));
  return { tests, files: tests.map(({ file }) => file) };
}

/** The journeys of a suite and of the suites within it. */
function journeysOf({ title, specs = [], suites = [] }, above) {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests.map((test) => ({
      file: `e2e/${slashes(spec.file)}`,
      path: [...path, spec.title],
      title: spec.title,
      status: journeyStatus(test),
      isJourney: true,
    })),
  );
  return [...own, ...suites.flatMap((suite) => journeysOf(suite, path))];
}

/** One that passed on its second try ("flaky") passed; one that was expected to fail, and did, is "expected" and did not. */
function journeyStatus({ status, expectedStatus }) {
  if (status === 'skipped') return 'skipped';
  return status !== 'unexpected' && expectedStatus === 'passed' ? 'passed' : 'failed';
}

/** The path below the root of the repository, wherever the run had its checkout. */
function pathInRepository(name) {
  const path = slashes(name);
  return (/packages\/[^/]+\/src\/.*/.exec(path) ?? /scripts\/.*/.exec(path))?.[0] ?? path;
}

const slashes = (path) => path.replaceAll('\\', '/');
