import { describe, expect, it } from 'vitest';
import { migratedAddress } from './old-address.ts';

describe('an address of the old console', () => {
  it.each([
    ['', '#/services', '/services'],
    ['', '#/users?filter=a%20b', '/users?filter=a%20b'],
    ['?session_token=x', '#/login', '/login?session_token=x'],
    ['?code=1&state=2', '#/login?z=3', '/login?code=1&state=2&z=3'],
    ['', '#//evil.example', '/evil.example'],
    ['', '#content', null],
    ['?a=1', '', null],
  ])('%s%s moves to %s', (search, hash, target) => expect(migratedAddress(search, hash)).toBe(target));
});
