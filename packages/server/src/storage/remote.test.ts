// Bounds of storages on other machines.
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPathLocks, isListedName, listFolders, serverText, watchTransfer, withinTime } from './remote.ts';
import type { StorageEntry } from './storage.ts';

describe('a transfer', () => {
  /** Sends a few bytes now and then, without an end. */
  const trickle = async function* () {
    for (;;) {
      yield Buffer.from('x');
      await wait(100);
    }
  };

  it('is stopped when its server sends next to nothing', async () => {
    const read = async () => {
      for await (const _chunk of watchTransfer(Readable.from(trickle()), 'source', 1));
    };
    await expect(read()).rejects.toMatchObject({ key: 'file.timeout' });
  });

  it('is stopped when its server takes next to nothing', async () => {
    const upload = watchTransfer(Readable.from([Buffer.alloc(200_000), Buffer.alloc(200_000)]), 'target', 1);
    const failed = new Promise((resolve) => upload.once('error', resolve));
    upload.read(10);
    expect(await failed).toMatchObject({ key: 'file.timeout' });
  });

  it('goes on while its caller is slow', async () => {
    const download = watchTransfer(Readable.from([Buffer.alloc(200_000), Buffer.alloc(200_000)]), 'source', 1);
    await wait(2500);
    let size = 0;
    for await (const chunk of download) size += chunk.length;
    expect(size).toBe(400_000);
    const source = new PassThrough();
    const upload = watchTransfer(source, 'target', 1);
    const text = (async () => Buffer.concat(await upload.toArray()).toString())();
    source.write('a');
    await wait(1500);
    source.end('b');
    expect(await text).toBe('ab');
  });

  it('passes the error of its source', async () => {
    const source = new PassThrough();
    const download = watchTransfer(source, 'source', 1, () => new Error('translated'));
    source.destroy(new Error('raw'));
    await expect(download.toArray()).rejects.toThrow('translated');
  });
});

it('an answer that does not come is a failure after its time', async () => {
  let isAbandoned = false;
  const never = withinTime(0.05, new Promise(() => {}), () => {
    isAbandoned = true;
  });
  await expect(never).rejects.toMatchObject({ key: 'file.timeout' });
  expect(isAbandoned).toBe(true);
  expect(await withinTime(1, Promise.resolve('answer'))).toBe('answer');
});

it('what is done to one path is done one after the other, also after a failure', async () => {
  const lock = createPathLocks();
  const steps: string[] = [];
  const run = (name: string) => async () => {
    steps.push(`${name} begins`);
    await wait(10);
    steps.push(`${name} ends`);
    if (name === 'a') throw new Error('a');
  };
  const results = await Promise.allSettled([lock('x', run('a')), lock('x', run('b')), lock('y', run('c'))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(steps.filter((step) => !step.startsWith('c'))).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

it('abuse: names that lead elsewhere, and our own, are not listed', () => {
  for (const name of ['', '.', '..', 'a/b', 'a\r\nDELE x', '\0', '.sluice-tmp', '.Sluice-tmp-x'])
    expect([name, isListedName(name)]).toEqual([name, false]);
  for (const name of ['a', '.hidden', ' ', '%2e%2e', 'ä']) expect([name, isListedName(name)]).toEqual([name, true]);
});

it('a recursive listing is in order and does not go into links', async () => {
  const entry = (path: string, type: 'file' | 'folder'): StorageEntry => ({
    ...{ path, type, size: null, modified: null, contentType: null, etag: null },
  });
  async function* readFolder(folder: string) {
    if (folder === '') yield* [entry('b', 'file'), { ...entry('link', 'folder'), isLink: true }, entry('a', 'folder')];
    else yield entry(`${folder}/c`, 'file');
  }
  const paths: string[] = [];
  for await (const { path } of listFolders(readFolder, '', { isRecursive: true })) paths.push(path);
  expect(paths).toEqual(['a', 'a/c', 'b', 'link']);
});

it('abuse: a recursive listing ends where folders have no end', async () => {
  async function* readFolder(folder: string) {
    const path = `${folder}${folder && '/'}${'x'.repeat(200)}`;
    yield { path, type: 'folder' as const, size: null, modified: null, contentType: null, etag: null };
  }
  let count = 0;
  for await (const _entry of listFolders(readFolder, '', { isRecursive: true })) count += 1;
  expect(count).toBe(20);
});

it('abuse: what a server says is shown short and in printable characters', () => {
  expect(serverText('550 no\r\nway\u0007. ')).toBe('550 no way');
  expect(serverText('x'.repeat(1000))).toHaveLength(200);
});

it('a transfer that breaks off while nobody reads it harms nothing else', async () => {
  const source = new PassThrough();
  const download = watchTransfer(source, 'source', 1);
  source.destroy(new Error('broken off'));
  await wait(20);
  expect(download.destroyed).toBe(true);
});
