import { describe, expect, it } from 'vitest';
import { emptyScript } from '../record.ts';
import { diffLines, foldRows } from './diff.ts';
import { dryRunRequest, firstDraft, problemOf, readCall } from './draft.ts';

describe('the call that a script is tried on', () => {
  const draft = firstDraft('db._table.contact.post.pre_process', undefined);

  it('is one of its event at first', () => {
    expect(draft).toMatchObject({ verb: 'POST', path: 'db/_table/contact', headers: '', body: '' });
    expect(firstDraft('system.limit.7.exceeded', undefined).verb).toBe('GET');
  });

  it('takes verb and path of a suggestion', () => {
    expect(readCall('delete db/_table/x/1?a=b c')).toEqual({ verb: 'DELETE', path: 'db/_table/x/1?a=b c' });
    expect(readCall('db/_table/x')).toEqual({ path: 'db/_table/x' });
    expect(readCall('OPTIONS db')).toEqual({ path: 'OPTIONS db' });
  });

  it('is sent with the script as it is typed; bodies that are no JSON are texts', () => {
    const form = { ...emptyScript('db.get.post_process'), allow_event_modification: true };
    const typed = {
      ...draft,
      path: ' /api/v2/db/_table/x?limit=1 ',
      headers: 'X-A: b:c\n\n accept:text/csv',
      body: '{"a":1}',
      status: '201',
      answer: 'plain',
    };
    expect(dryRunRequest(form, 'return 1', typed)).toEqual({
      script: {
        ...{ name: 'db.get.post_process', type: 'v8js', content: 'return 1', allow_event_modification: true },
        config: {},
      },
      request: {
        ...{ verb: 'POST', path: 'db/_table/x?limit=1', headers: { 'X-A': 'b:c', accept: 'text/csv' } },
        ...{ payload: { a: 1 }, response: { status_code: 201, content: 'plain' } },
      },
    });
    // Before the operation there is no answer.
    expect(dryRunRequest({ ...form, name: 'db.get.pre_process' }, '', typed).request).not.toHaveProperty('response');
    expect(dryRunRequest(form, '', { ...typed, status: '', answer: '', body: ' ' }).request).toEqual({
      ...{ verb: 'POST', path: 'db/_table/x?limit=1', headers: { 'X-A': 'b:c', accept: 'text/csv' } },
    });
  });

  it.each([
    [{ path: ' / ' }, 'path'],
    [{ headers: 'no colon' }, 'headers'],
    [{ status: '99' }, 'status'],
    [{ status: '404' }, null],
  ])('%o is found wrong: %s', (change, problem) => expect(problemOf({ ...draft, ...change })).toBe(problem));
});

describe('two texts side by side', () => {
  const shown = (before: string, after: string) =>
    diffLines(before, after).map(
      ({ before: left, after: right, isChanged }) => `${isChanged ? '*' : ' '}${left?.text ?? ''}|${right?.text ?? ''}`,
    );

  it('marks what changed, came and went', () => {
    expect(shown('a\nb\nc\nd', 'a\nB\nc\nd\ne')).toEqual([' a|a', '*b|B', ' c|c', ' d|d', '*|e']);
    expect(shown('a\nx\ny\nb', 'a\nb')).toEqual([' a|a', '*x|', '*y|', ' b|b']);
    expect(shown('a', 'a')).toEqual([' a|a']);
  });

  it('keeps the numbers of the lines of each side', () => {
    const rows = diffLines('a\nb', 'x\na\nb');
    expect(rows.map(({ before, after }) => [before?.number, after?.number])).toEqual([
      [undefined, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('stays quick where everything differs', () => {
    const lines = (word: string) => Array.from({ length: 100_000 }, (_, index) => `${word} ${index}`).join('\n');
    expect(diffLines(lines('a'), lines('b'))).toHaveLength(100_000);
  });

  it('folds long runs that are equal', () => {
    const lines = Array.from({ length: 20 }, (_, index) => String(index));
    const pieces = foldRows(diffLines(lines.join('\n'), lines.with(10, 'ten').join('\n')));
    expect(pieces.map(({ rows, isFolded }) => [rows.length, isFolded])).toEqual([
      [7, true],
      [7, false],
      [6, true],
    ]);
  });
});
