import { describe, expect, it } from 'vitest';
import { translate } from './errors.ts';

const serverError = (code: string, more: object = {}) =>
  Object.assign(new Error('words'), { severity: 'ERROR', code, ...more });

describe('what a table that was altered answers', () => {
  it.each([
    ['an unknown column', '42703'],
    ['an unknown table', '42P01'],
    ['a value of the type its column had', '42804'],
  ])('%s is a description that is old', (_what, code) => {
    expect(translate(serverError(code))).toMatchObject({ kind: 'stale', failure: { key: 'database.changed' } });
  });

  it.each(['42703', '42P01', '42804'])('%s inside of a function is the fault of the function', (code) => {
    expect(translate(serverError(code, { where: 'PL/pgSQL function stamp()' }))).toMatchObject({ kind: 'refused' });
  });
});
