import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CallLine, listCalls } from './call.ts';
import { type Expectation, readExpectations } from './expected.ts';
import type { NormalAnswer } from './normalise.ts';
import { compareRuns, type Outcome, printReport } from './report.ts';

const ok: NormalAnswer = { status: 200, headers: {}, body: '{"a":1}' };
const changed: NormalAnswer = { ...ok, body: '{"a":2}' };

/** The report of two servers' answers to the same calls; a text is the reason why there is none. */
function report(
  calls: CallLine[],
  was: (NormalAnswer | string)[],
  now: (NormalAnswer | string)[],
  expectations: Expectation[] = [],
) {
  const list = listCalls([{ title: 'test', calls }]);
  const run = (answers: (NormalAnswer | string)[]): Outcome[] =>
    list.map((call, index) => {
      const answer = answers[index]!;
      return typeof answer === 'string' ? { call, failure: answer } : { call, answer };
    });
  return printReport([compareRuns('main', run(was), run(now))], expectations);
}

describe('a report', () => {
  it('is good when everything is the same', () => {
    expect(report(['GET a', 'GET b'], [ok, { ...ok, status: 404 }], [ok, { ...ok, status: 404 }])).toEqual({
      lines: ['Answers: 2xx 1, 4xx 1', '2 calls, 0 differences'],
      isGood: true,
    });
  });

  it('tells a difference with its call, what was sent and both values', () => {
    const calls: CallLine[] = ['GET a', ['POST b', { as: 'clerk', headers: { Accept: 'x' }, body: { c: 1 } }]];
    expect(report(calls, [ok, ok], [ok, changed])).toEqual({
      lines: [
        '✗ main 2 test: POST b as clerk',
        '    Accept: x',
        '    sent {"c":1}',
        '    body a',
        '      was 1',
        '      now 2',
        'Answers: 2xx 2',
        '2 calls, 1 differences',
      ],
      isGood: false,
    });
  });

  it('counts the differences of a call and prints some', () => {
    const many = (value: number) => ({ ...ok, body: JSON.stringify(Array.from({ length: 50 }, () => value)) });
    const { lines } = report(['GET a'], [many(1)], [many(2)]);
    expect(lines.slice(-4)).toEqual([
      '      now 2',
      '    and 38 more differences',
      'Answers: 2xx 1',
      '1 calls, 50 differences',
    ]);
    expect(lines.filter((line) => line.includes('was'))).toHaveLength(12);
  });

  it('is not good when a call could not be made, even on both servers', () => {
    const { lines, isGood } = report(['GET a'], ['no answer'], ['no answer']);
    expect([isGood, lines]).toEqual([
      false,
      [
        '✗ main 1 test: GET a',
        '    on the server that was: no answer',
        '✗ main 1 test: GET a',
        '    on the server that now: no answer',
        'Answers: no answer 1',
        '1 calls, 0 differences, 2 that went wrong',
      ],
    ]);
  });

  it('is not good when a corner stone is not what it has to be, though both servers agree', () => {
    const refused = { ...ok, status: 401 };
    expect(report([['GET a', { status: 200 }]], [refused], [refused]).isGood).toBe(false);
    expect(report([['GET a', { status: 200 }]], [ok], [ok]).isGood).toBe(true);
  });

  it('is not good without calls', () => {
    expect(report([], [], []).isGood).toBe(false);
  });

  it('tells the kinds of answers of both where they differ', () => {
    const { lines } = report(['GET a'], [ok], [{ ...ok, status: 500 }]);
    expect(lines).toContain('Answers: was 2xx 1; now 5xx 1');
  });

  it('refuses runs of different calls', () => {
    const [call] = listCalls([{ title: 'test', calls: ['GET a'] }]);
    expect(() => compareRuns('main', [{ call: call!, answer: ok }], [])).toThrow('not of the same calls');
    expect(() => compareRuns('main', [], [{ call: call!, answer: ok }])).toThrow('not of the same calls');
  });
});

describe('what is expected', () => {
  const why = 'it was announced';
  const both = (expectation: Omit<Expectation, 'why'>) =>
    report(['GET a'], [ok], [{ ...changed, status: 404 }], [{ why, ...expectation }]);

  it('is no difference when all that is named fits', () => {
    expect(report(['GET a'], [ok], [changed], [{ why, place: 'body a' }])).toEqual({
      lines: ['Answers: 2xx 1', '1 calls, 0 differences, 1 expectations met'],
      isGood: true,
    });
    for (const place of ['body a', 'body *', '*'])
      expect(report(['GET a'], [ok], [changed], [{ why, place, call: 'GET a', was: '1', now: '2' }]).isGood).toBe(true);
  });

  it('leaves the other differences of the call', () => {
    const { lines, isGood } = both({ place: 'body a' });
    expect([isGood, lines.slice(0, 2)]).toEqual([false, ['✗ main 1 test: GET a', '    status']]);
  });

  it.each([
    { place: 'body' },
    { place: 'body a', call: 'GET b' },
    { place: 'body a', was: '2' },
    { place: 'body a', now: '1' },
    { place: 'header a' },
  ])('that did not occur is reported: %j', (expectation) => {
    const { lines, isGood } = both(expectation);
    expect(isGood).toBe(false);
    expect(lines).toContainEqual(expect.stringMatching(/^✗ expected and not seen: .* \(it was announced\)$/));
  });

  it('is read from a file that holds nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-expect-'));
    const file = join(folder, 'expect.json');
    const read = (value: unknown) => {
      writeFileSync(file, JSON.stringify(value));
      return readExpectations(file);
    };
    try {
      expect(read([{ why, place: 'status', call: 'a' }])).toEqual([{ why, place: 'status', call: 'a' }]);
      for (const wrong of [{}, [{}], [{ why }], [{ why, place: 1 }], [{ why, place: '*', header: 'x' }], [null], ['x']])
        expect(() => read(wrong)).toThrow('has to be a list');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
