import { expect, it } from 'vitest';
import { failuresOf } from './reports.mjs';

it('tells what failed in a report of vitest, and why', () => {
  const passed = { status: 'passed', fullName: 'works', failureMessages: [] };
  const failed = { status: 'failed', fullName: 'sums', failureMessages: ['Error: expected\n  1 to be 2'] };
  const testResults = [{ name: '/somewhere/packages/sql/src/a.test.ts', assertionResults: [passed, failed] }];
  expect(failuresOf({ testResults })).toEqual(['packages/sql/src/a.test.ts › sums: Error: expected 1 to be 2']);
});

it('tells what failed in a report of Playwright, those that passed at the second try aside', () => {
  const test = (status: string, ...messages: string[]) => ({
    expectedStatus: 'passed',
    status,
    results: [{ errors: messages.map((message) => ({ message })) }],
  });
  const specs = [
    { title: 'opens', file: 'a.e2e.ts', tests: [test('flaky', 'slow')] },
    { title: 'closes', file: 'a.e2e.ts', tests: [test('unexpected', '\u001b[31mno button\u001b[39m', 'more')] },
  ];
  const suites = [{ title: 'a.e2e.ts', suites: [{ title: 'a window', specs }] }];
  expect(failuresOf({ suites })).toEqual(['e2e › a.e2e.ts › a window › closes: no button']);
});
