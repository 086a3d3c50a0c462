import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { hashPassword, maxPasswordBytes, verifyPassword } from './passwords.ts';

const password = 'correct horse';
const slot = { queueKey: ['192.0.2.1', 'jo@example.com'] } as const;

it('makes argon2id hashes of the documented cost, never the same twice', async () => {
  const [a, b] = [await hashPassword(password), await hashPassword(password)];
  expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(a).not.toBe(b);
  expect(await verifyPassword(password, a, slot)).toEqual({ matches: true, needsRehash: false });
  expect(await verifyPassword('wrong', a, slot)).toEqual({ matches: false, needsRehash: false });
});

describe('imported hashes match and are to be renewed', () => {
  it.each(['2a', '2b', '2y'])('bcrypt $%s$', async (version) => {
    const stored = (await bcrypt(password, { cost: 4 })).replace(/^\$2b\$/, `$${version}$`);
    expect(await verifyPassword(password, stored, slot)).toEqual({ matches: true, needsRehash: true });
    expect(await verifyPassword('wrong', stored, slot)).toEqual({ matches: false, needsRehash: false });
  });
  it('argon2id of another cost', async () => {
    const stored = await argon2(password, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
    expect(await verifyPassword(password, stored, slot)).toEqual({ matches: true, needsRehash: true });
  });
});

it.each([null, undefined, '', 'correct horse', '$1$old$hash'])('never matches a stored %s', async (stored) => {
  expect(await verifyPassword(password, stored, slot)).toEqual({ matches: false, needsRehash: false });
});

it('never matches a password past the limit', async () => {
  const longPassword = 'x'.repeat(maxPasswordBytes + 1);
  expect((await verifyPassword(longPassword, await argon2(longPassword), slot)).matches).toBe(false);
});

it('refuses what cannot wait, and recovers', async () => {
  // At the current cost, so many hashes would take seconds.
  const stored = await argon2(password, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  const answers = await Promise.allSettled(Array.from({ length: 300 }, () => verifyPassword(password, stored, slot)));
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused.length).toBe(300 - 258);
  expect(refused[0]).toMatchObject({ reason: { status: 429, retryAfter: 5 } });
  expect((await verifyPassword(password, stored, slot)).matches).toBe(true);
});

it('abuse: admits a call from elsewhere between those of a flood, and does not refuse it', async () => {
  const stored = await argon2(password, { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  const order: string[] = [];
  const flood = Array.from({ length: 300 }, (_, at) =>
    verifyPassword(`guess ${at}`, stored, { queueKey: ['198.51.100.1', `account ${at}`] })
      .then(() => order.push('flood'))
      .catch(() => undefined),
  );
  const other = verifyPassword(password, stored, slot).then(({ matches }) => order.push(`other: ${matches}`));
  await Promise.all([...flood, other]);
  expect(order).toHaveLength(258 + 1 - 1);
  expect(order.indexOf('other: true')).toBeLessThan(10);
});
