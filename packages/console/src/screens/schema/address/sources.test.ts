import { beforeEach, expect, it } from 'vitest';
import { fakeInstance } from '../../../api/testing.ts';
import { signIn } from '../../../list/testing.tsx';
import { findByAlias } from './sources.ts';

beforeEach(signIn);

it('finds the real name of a table by its alias, in any case', async () => {
  const calls = fakeInstance(() => ({
    body: {
      resource: [
        { name: 'customer', alias: null },
        { name: 'tbl_item', alias: 'Items' },
      ],
    },
  }));
  expect(await findByAlias('my shop', 'items')).toBe('tbl_item');
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET my%20shop/_schema?fields=name%2Calias']);
  expect(await findByAlias('my shop', 'tbl_item')).toBeNull();
  expect(await findByAlias('my shop', 'customer')).toBeNull();
});
