import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { hashPassword, passwordBytes, verifyPassword } from './passwords.ts';

const right = 'correct horse';

it('makes argon2id hashes of the documented cost, never the same twice', async () => {
  const [a, b] = [await hashPassword(right), await hashPassword(right)];
  expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(a).not.toBe(b);
  expect(await verifyPassword(right, a)).toEqual({ matches: true, needsRehash: false });
  expect(await verifyPassword('wrong', a)).toEqual({ matches: false, needsRehash: false });
});

describe('hashes brought along match and are to be renewed', () => {
  it.each(['2a', '2b', '2y'])('bcrypt $%s$', async (version) => {
    const stored = (await bcrypt(right, { cost: 4 })).replace(/^\$2b\$/, `$${version}$`);
    expect(await verifyPassword(right, stored)).toEqual({ matches: true, needsRehash: true });
    expect(await verifyPassword('wrong', stored)).toEqual({ matches: false, needsRehash: false });
  });
  it('argon2id of another cost', async () => {
    const stored = await argon2(right, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
    expect(await verifyPassword(right, stored)).toEqual({ matches: true, needsRehash: true });
  });
});

it.each([null, undefined, '', 'correct horse', '$1$old$hash'])('never matches a stored %s', async (stored) => {
  expect(await verifyPassword(right, stored)).toEqual({ matches: false, needsRehash: false });
});

it('never matches a password past the limit', async () => {
  const long = 'x'.repeat(passwordBytes + 1);
  expect((await verifyPassword(long, await argon2(long))).matches).toBe(false);
});

it('refuses more than can wait, and recovers', async () => {
  // As many cost seconds at today's price.
  const stored = await argon2(right, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  const answers = await Promise.allSettled(Array.from({ length: 300 }, () => verifyPassword(right, stored)));
  const refused = answers.filter((it) => it.status === 'rejected');
  expect(refused.length).toBe(300 - 258);
  expect(refused[0]).toMatchObject({ reason: { status: 503 } });
  expect((await verifyPassword(right, stored)).matches).toBe(true);
});
