import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStorePlace, type TestStorePlace } from '@sluice/testkit/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { silentLog } from './instance.fixture.ts';
import { createSecrets, encryptedPrefix, keyFileName, openKeys } from './keys.ts';

let data: string;
let store: Store;
let location: TestStorePlace;
beforeEach(async () => {
  data = mkdtempSync(path.join(tmpdir(), 'sluice-keys-'));
  location = await openStorePlace();
  store = await openStore({ url: location.url, dataFolder: data, log: silentLog });
});
afterEach(async () => {
  await store.close();
  location.free();
  rmSync(data, { recursive: true, force: true });
});

const open = (secret = '') => openKeys({ settings: { secret, data }, store, log: silentLog });
const file = () => path.join(data, keyFileName);
const longSecret = 'a secret that is long enough for the tests';

it('makes a key file that only its owner may read, and uses it again', async () => {
  const first = await open();
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const second = await open();
  expect(second.signing).toEqual(first.signing);
  expect(second.secrets.decrypt(first.secrets.encrypt('hunter2'))).toBe('hunter2');
  expect(readdirSync(data).filter((name) => name.startsWith(keyFileName))).toEqual([keyFileName]);
});

it('gives processes that start at once the same key', async () => {
  const keys = await Promise.all([1, 2, 3, 4].map(() => open()));
  expect(new Set(keys.map(({ signing }) => signing.toString('hex'))).size).toBe(1);
});

it('makes no file when there is a secret, and a key of its own for each purpose', async () => {
  const { signing, secrets } = await open(longSecret);
  expect(readdirSync(data)).not.toContain(keyFileName);
  expect(() => createSecrets(signing).decrypt(secrets.encrypt('x'))).toThrow();
});

it.each([
  ['another secret', async () => open(`${longSecret}!`), /The key is not the one this instance was written with/],
  ['no secret any more', async () => open(), /The key of this instance is lost/],
])('refuses to start with %s', async (_name, reopen, message) => {
  await open(longSecret);
  await expect(reopen()).rejects.toThrow(message);
  expect(readdirSync(data)).not.toContain(keyFileName);
});

it('refuses to start when the key file is gone or damaged', async () => {
  await open();
  writeFileSync(file(), 'short');
  await expect(open()).rejects.toThrow(/is damaged/);
  rmSync(file());
  await expect(open()).rejects.toThrow(/is lost/);
});

it('refuses to start over encrypted rows without a check value', async () => {
  const { secrets } = await open(longSecret);
  const config = JSON.stringify({ password: secrets.encrypt('x') });
  await store.insert(store.db, 'service', {
    name: 'pg',
    label: 'pg',
    type: 'sqlite',
    config,
    description: null,
    is_active: 1,
    mutable: 1,
    deletable: 1,
    created_date: null,
    last_modified_date: null,
    created_by_id: null,
    last_modified_by_id: null,
  });
  await store.db.deleteFrom('instance').where('name', '=', 'key_check').execute();
  await expect(open(longSecret)).rejects.toThrow(/not the one/);
});

describe('secrets', () => {
  const secrets = createSecrets(Buffer.alloc(32, 7));
  it.each(['', 'hunter2', 'žluťoučký 🐎', 'x'.repeat(100_000)])('come back as they were: %.20s', (text) => {
    const sealed = secrets.encrypt(text);
    expect(sealed.startsWith(encryptedPrefix)).toBe(true);
    expect(sealed).not.toBe(secrets.encrypt(text));
    expect(secrets.decrypt(sealed)).toBe(text);
  });
  it('are refused when changed, cut or not encrypted', () => {
    const sealed = Buffer.from(secrets.encrypt('hunter2').slice(encryptedPrefix.length), 'base64url');
    for (let index = 0; index < sealed.length; index += 5) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(() => secrets.decrypt(encryptedPrefix + changed.toString('base64url'))).toThrow();
    }
    expect(() => secrets.decrypt(encryptedPrefix + sealed.subarray(0, 20).toString('base64url'))).toThrow();
    expect(() => secrets.decrypt('hunter2')).toThrow();
    expect(() => createSecrets(Buffer.alloc(32, 8)).decrypt(encryptedPrefix + sealed.toString('base64url'))).toThrow();
  });
});
