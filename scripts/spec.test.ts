// npm run spec in a made-up repository with made-up reports. Its requirements are in groups that ours does not have.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { tellStanding } from './standing.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sluice-spec-'));
afterAll(() => rmSync(folder, { recursive: true }));

const wire = 'packages/server/src/wire.test.ts';
const part = 'packages/server/src/part.test.ts';
const screen = 'packages/console/src/screen.test.tsx';
const journey = 'e2e/sign-in.e2e.ts';

beforeEach(() => {
  rmSync(folder, { recursive: true });
  const rows = [1, 2, 3, 4, 5].map((number) => `| QQ-00${number} | so it is | document 1 | rule |`);
  put('docs/requirements.md', [...rows, '| QZ-001 | so it is | document 1 | rule |'].join('\n'));
  put('docs/stand-ins.json', '[]');
  put(wire, "import { startPlatform } from '@sluice/testkit';\n");
  for (const path of [part, screen, journey]) put(path, '');
});

describe('proven is what', () => {
  it('a passing journey names in its own title', () => {
    report('journeys', playwright({ 'QQ-001 signs in': 'expected' }));
    expect(spec()).toContain(
      'QQ   1 of 5 proven, 0 on a stand-in, 4 open\n     proven: QQ-001\n     open: QQ-002…005\n',
    );
  });

  it('a passing test over the wire names, be it run where it may', () => {
    report('vitest', vitest({ [wire]: { 'QQ-001 signs in': 'passed' } }, '/elsewhere/sluice'));
    expect(spec()).toContain('proven: QQ-001\n');
  });

  it('a journey names that passed on its second try', () => {
    report('journeys', playwright({ 'QQ-001 signs in': 'flaky' }));
    expect(spec()).toContain('proven: QQ-001\n');
  });

  it('the titles of a table of tests name, and ranges', () => {
    report(
      'vitest',
      vitest({ [wire]: { 'QQ-001 by mail': 'passed', 'QQ-002 by name': 'passed', 'QQ-004…005': 'passed' } }),
    );
    expect(spec()).toContain('proven: QQ-001…002 QQ-004…005\n');
  });

  it('any of several reports shows', () => {
    report('vitest', vitest({ [wire]: { 'QQ-001 signs in': 'passed' } }));
    report('vitest-store', vitest({ [wire]: { 'QQ-002 signs out': 'passed' } }));
    report('journeys', playwright({ 'QZ-001 looks': 'expected' }));
    expect(spec()).toMatch(/proven: QQ-001…002\n[\s\S]*proven: QZ-001\n/);
  });

  it('passes on one engine and is skipped on another', () => {
    report('vitest', vitest({ [wire]: { 'QQ-001 signs in': 'passed' } }));
    report('vitest-store', vitest({ [wire]: { 'QQ-001 signs in': 'skipped' } }));
    expect(spec()).toContain('proven: QQ-001\n');
  });
});

describe('not proven is what', () => {
  it('only a describe names', () => {
    report('vitest', vitest({ [wire]: { 'signs in': 'passed' } }, '/here', ['QQ-001 sign-in']));
    report('journeys', playwright({ 'signs in': 'expected' }, 'QQ-002 sign-in'));
    expect(spec()).toContain('QQ   0 of 5 proven, 0 on a stand-in, 5 open\n');
  });

  it('was skipped, is to be done, or failed', () => {
    const titles = { 'QQ-001': 'skipped', 'QQ-002': 'todo', 'QQ-003': 'failed', 'QQ-004': 'pending' };
    report('vitest', vitest({ [wire]: titles, [screen]: titles }));
    expect(spec()).toContain('QQ   0 of 5 proven, 0 on a stand-in, 5 open\n');
  });

  it('a journey skipped, failed, or was expected to fail at', () => {
    report('journeys', playwright({ 'QQ-001': 'skipped', 'QQ-002': 'unexpected' }));
    report('journeys-more', playwright({ 'QQ-003': 'expected' }, '', 'failed'));
    expect(spec()).toContain('QQ   0 of 5 proven, 0 on a stand-in, 5 open\n');
  });

  it('passes on one engine and fails on another', () => {
    report('vitest', vitest({ [wire]: { 'QQ-001 signs in': 'failed' } }));
    report('vitest-store', vitest({ [wire]: { 'QQ-001 signs in': 'passed' } }));
    expect(spec()).toContain('QQ   0 of 5 proven');
  });
});

describe('on a stand-in is what', () => {
  it('only tests of the console or of a part of the server name; it is open as well', () => {
    report('vitest', vitest({ [screen]: { 'QQ-001': 'passed' }, [part]: { 'QQ-002': 'passed' } }));
    expect(spec()).toContain(
      'QQ   0 of 5 proven, 2 on a stand-in (0 listed), 5 open\n     on a stand-in: QQ-001…002\n     open: QQ-001…005\n',
    );
  });

  it('no other test proves', () => {
    report('vitest', vitest({ [screen]: { 'QQ-001': 'passed' } }));
    report('journeys', playwright({ 'QQ-001': 'expected' }));
    expect(spec()).toContain('QQ   1 of 5 proven, 0 on a stand-in, 4 open\n');
  });

  it('is no longer open when it is listed', () => {
    put('docs/stand-ins.json', JSON.stringify([{ why: 'No mail yet.', ids: 'QQ-001…002' }]));
    report('vitest', vitest({ [screen]: { 'QQ-001': 'passed', 'QQ-003': 'passed' } }));
    const text = spec();
    expect(text).toContain('QQ   0 of 5 proven, 2 on a stand-in (1 listed), 4 open\n');
    expect(text).toContain('open: QQ-002…005\n');
    expect(text).toContain('In docs/stand-ins.json, but proven or on no stand-in: QQ-002\n');
    expect(spec('--open')).toBe('QQ-002\nQQ-003\nQQ-004\nQQ-005\nQZ-001\n');
  });
});

describe('a proof is lost', () => {
  beforeEach(() => {
    report('vitest', vitest({ [wire]: { 'QQ-001 by mail': 'passed', 'QQ-002 by name': 'passed' } }));
    report('journeys', playwright({ 'QQ-003 signs in': 'expected' }));
    expect(spec('--write')).toBe('Wrote docs/proof.md\n');
  });

  it('never, in a run like the one before', () => {
    expect(spec('--check', '--complete')).toBe('');
  });

  it('when its test fails', () => {
    report('vitest', vitest({ [wire]: { 'QQ-001 by mail': 'failed', 'QQ-002 by name': 'passed' } }));
    expect(refused('--check')).toBe(
      `Proven in docs/proof.md, but not by this run:\n  QQ-001, until now by ${wire}\n    failed: ${wire}: QQ-001 by mail\n`,
    );
  });

  it('when its title no longer names it', () => {
    report('vitest', vitest({ [wire]: { 'by mail': 'passed', 'QQ-002 by name': 'passed' } }, '/here', ['QQ-001']));
    expect(refused('--check')).toContain(`  QQ-001, until now by ${wire}\n`);
  });

  it('when it is left to a stand-in', () => {
    report('vitest', vitest({ [wire]: { 'QQ-001 by mail': 'passed' }, [screen]: { 'QQ-002 by name': 'passed' } }));
    expect(refused('--check')).toContain(`  QQ-002, until now by ${wire}\n`);
  });

  it('when its file is gone', () => {
    report('journeys', playwright({}));
    rmSync(join(folder, journey));
    expect(refused('--check')).toContain(`  QQ-003, until now by ${journey}\n`);
  });

  it('when its file could not be loaded', () => {
    report('vitest', vitest({ [wire]: {} }));
    expect(refused('--check')).toContain(`  QQ-001, until now by ${wire}\n`);
  });

  it('by a run that left it out only when that run is to be complete', () => {
    report('vitest', vitest({ [wire]: { 'QQ-001 by mail': 'skipped', 'QQ-002 by name': 'passed' } }));
    report('journeys', playwright({}));
    expect(spec('--check')).toBe('Not tried in this run: QQ-001 QQ-003\n');
    const text = refused('--check', '--complete');
    expect(text).toContain(`  QQ-001, until now by ${wire}\n    skipped: ${wire}: QQ-001 by mail\n`);
    expect(text).toContain(`  QQ-003, until now by ${journey}\n`);
  });

  it('not from the page, when the run left it out', () => {
    report('journeys', playwright({}));
    expect(refused('--write')).toBe('Not written, for the last run did not try QQ-003\n');
  });

  it('never when another test proves it', () => {
    report('vitest', vitest({ [wire]: { 'QQ-002 by name': 'passed' } }));
    report('journeys', playwright({ 'QQ-001 QQ-003 signs in': 'expected' }));
    expect(spec('--check', '--complete')).toBe('');
  });

  it('while new ones are only said', () => {
    report('journeys', playwright({ 'QQ-003 QQ-005 signs in': 'expected' }));
    expect(spec('--check', '--complete')).toBe('New proofs, to be written by npm run spec -- --write: QQ-005\n');
  });
});

it('writes for each group what proves it, what is on a stand-in and what is open', () => {
  put('docs/stand-ins.json', JSON.stringify([{ why: 'No mail yet.', ids: 'QQ-004' }]));
  report(
    'vitest',
    vitest({ [wire]: { 'QQ-001…002': 'passed' }, [screen]: { 'QQ-004': 'passed', 'QQ-001': 'passed' } }),
  );
  report('journeys', playwright({ 'QQ-002 signs in': 'expected' }));
  spec('--write');
  const page = readFileSync(join(folder, 'docs/proof.md'), 'utf8');
  expect(page.slice(page.indexOf('## QQ'))).toBe(`## QQ

2 of 5 proven, 1 on a stand-in (1 listed), 2 open.

|  | ids |
|---|---|
| proven by \`${journey}\` | QQ-002 |
| proven by \`${wire}\` | QQ-001…002 |
| on a stand-in in \`${screen}\` | QQ-004 |
| open | QQ-003 QQ-005 |

## QZ

0 of 1 proven, 0 on a stand-in, 1 open.

|  | ids |
|---|---|
| open | QZ-001 |

## Listed stand-ins

Kept by hand in [stand-ins.json](stand-ins.json): requirements that name a type this server does not have yet.

| why | ids |
|---|---|
| No mail yet. | QQ-004 |
`);
});

it('says what is missing without reports', () => {
  expect(refused()).toBe('No reports to read: run npm test first.\n');
});

/** What npm run spec prints; it must succeed. */
function spec(...flags: string[]) {
  const { code, log, error } = runSpec(flags);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return log;
}

/** What npm run spec complains of; it must fail. */
function refused(...flags: string[]) {
  const { code, error } = runSpec(flags);
  expect(code).toBe(1);
  return error;
}

function runSpec(flags: string[]) {
  const printed = { log: '', error: '' };
  const code = tellStanding(folder, flags, {
    log: (line: string) => (printed.log += `${line}\n`),
    error: (line: string) => (printed.error += `${line}\n`),
  });
  return { code, ...printed };
}

function put(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function report(name: string, content: unknown) {
  put(`.cache/reports/${name}.json`, JSON.stringify(content));
}

/** A report of vitest: for each file, the titles of its tests and how they went. */
function vitest(files: Record<string, Record<string, string>>, at = folder, above: string[] = []) {
  return {
    testResults: Object.entries(files).map(([path, tests]) => ({
      name: join(at, path),
      assertionResults: Object.entries(tests).map(([title, status]) => ({ ancestorTitles: above, title, status })),
    })),
  };
}

/** A report of Playwright on one file of journeys, perhaps within a describe. */
function playwright(titles: Record<string, string>, above = '', expectedStatus = 'passed') {
  const file = journey.replace('e2e/', '');
  const specs = Object.entries(titles).map(([title, status]) => ({ file, title, tests: [{ status, expectedStatus }] }));
  return {
    suites:
      specs.length === 0
        ? []
        : [{ title: file, specs: above ? [] : specs, suites: above ? [{ title: above, specs }] : [] }],
  };
}
