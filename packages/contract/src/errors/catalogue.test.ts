import { expect, it } from 'vitest';
import { Failure } from './catalogue.ts';

const linesOf = ({ stack }: Error) => String(stack).trim().split('\n').length;

it('a failure notes no stack, and what is thrown after it does', () => {
  const cause = new Error('the database');
  const failure = new Failure('record.notFound', 404, 'There is none.', { cause });
  expect(linesOf(failure)).toBe(1);
  expect(failure).toMatchObject({ message: 'There is none.', status: 404, code: 404, cause });
  expect(linesOf(cause)).toBeGreaterThan(2);
  expect(linesOf(new Error('a bug'))).toBeGreaterThan(2);
});
