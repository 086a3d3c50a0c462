// Connections to a real directory server.
import {
  corp,
  type DirectoryServer,
  directoryMissing,
  password,
  people,
  reader,
  startDirectoryServer,
} from '@sluice/testkit/directory-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DirectoryAddress } from './address.ts';
import { withConnection } from './connection.ts';
import { recordOf } from './entry.ts';
import { loadFilters } from './filter.ts';

describe.skipIf(directoryMissing())('a connection to a directory', () => {
  let server: DirectoryServer;
  let address: DirectoryAddress;
  beforeAll(async () => {
    server = await startDirectoryServer();
    address = { host: '127.0.0.1', port: server.port, security: 'none' };
  });
  afterAll(() => server?.stop());

  const bindJo = (place: DirectoryAddress, text = password, ca?: string) =>
    withConnection(place, ca === undefined ? {} : { ca }, ({ bind }) => bind(`uid=jo,${people}`, text));

  it('says whether a name and a password are right', async () => {
    expect(await bindJo(address)).toBe(true);
    expect(await bindJo(address, 'wrong')).toBe(false);
    expect(await withConnection(address, {}, ({ bind }) => bind('no name at all', 'x'))).toBe(false);
    expect(await withConnection(address, {}, ({ bind }) => bind('uid=nobody,dc=nowhere', 'x'))).toBe(false);
  });

  it('abuse: an empty password, by which a directory lets everybody in, is wrong; nothing is asked', async () => {
    const nowhere: DirectoryAddress = { ...address };
    for (const text of ['', '\0', `${password}\0`])
      expect(await bindJo(nowhere, text), JSON.stringify(text)).toBe(false);
    expect(await withConnection(address, {}, ({ bind }) => bind('', password))).toBe(false);
  });

  it('encrypts from the beginning, or after it, and trusts known certificates alone', async () => {
    const secure: DirectoryAddress = { host: 'localhost', port: server.securePort, security: 'tls' };
    const later: DirectoryAddress = { host: '127.0.0.1', port: server.port, security: 'starttls' };
    expect(await bindJo(secure, password, server.ca)).toBe(true);
    expect(await bindJo(later, password, server.ca)).toBe(true);
    expect(await bindJo(later, 'wrong', server.ca)).toBe(false);
    for (const place of [secure, later])
      await expect(bindJo(place)).rejects.toMatchObject({
        key: 'directory.unreachable',
        message: 'The directory is not available: the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT).',
      });
  });

  it('searches by pages, as many as a server gives at once', async () => {
    const { equals } = await loadFilters();
    const filter = equals('objectClass', 'computer');
    const search = (limit: number, pageSize?: number) =>
      withConnection(address, {}, async ({ bind, search }) => {
        expect(await bind(reader.username, reader.password)).toBe(true);
        return search(corp, { filter, attributes: ['cn'], limit, ...(pageSize ? { pageSize } : {}) });
      });
    expect((await search(100, 20)).length).toBe(45);
    await expect(search(44, 20)).rejects.toMatchObject({ key: 'directory.tooMany' });
    expect((await search(5)).length).toBe(5);
  });

  it('shows a stranger what a directory shows, and the secrets of nobody', async () => {
    const { equals } = await loadFilters();
    const request = { filter: equals('uid', 'jo'), attributes: ['*'], limit: 5 };
    const [jo, ...others] = await withConnection(address, {}, ({ search }) => search(people, request));
    expect(others).toEqual([]);
    expect(recordOf(jo!)).toMatchObject({ dn: `uid=jo,${people}`, uid: 'jo', mail: 'jo@example.com' });
    expect(recordOf(jo!)).not.toHaveProperty('userpassword');
    expect(await withConnection(address, {}, ({ search }) => search(corp, { attributes: ['*'], limit: 5 }))).toEqual(
      [],
    );
    expect(await withConnection(address, {}, ({ search }) => search('dc=nowhere', request))).toEqual([]);
  });
});
