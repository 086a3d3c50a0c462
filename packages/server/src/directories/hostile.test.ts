// Directories that mean harm: silence, endless answers, lengths that lie. Each ends with a failure of the catalogue, soon, and the
// process goes on.
import { afterEach, describe, expect, it } from 'vitest';
import { type Connection, withConnection } from './connection.ts';
import { recordOf, secretAttributes } from './entry.ts';
import { loadFilters } from './filter.ts';
import {
  ber,
  done,
  entry,
  type FakeDirectory,
  message,
  octets,
  startFakeDirectory,
} from './hostile-directory.fixture.ts';
import { isMessage } from './message-check.ts';

let directory: FakeDirectory | undefined;
afterEach(async () => {
  await directory?.stop();
  directory = undefined;
});

async function against(
  answer: Parameters<typeof startFakeDirectory>[0],
  work: (connection: Connection) => Promise<unknown>,
  options: Parameters<typeof withConnection>[1] = {},
  security: 'none' | 'starttls' = 'none',
): Promise<unknown> {
  directory = await startFakeDirectory(answer);
  const address = { host: '127.0.0.1', port: directory.port, security };
  return withConnection(address, options, work).catch((error: { key?: string; message: string }) =>
    error.key?.startsWith('directory.') ? error.message : error,
  );
}

const bind = ({ bind }: Connection) => bind('cn=a', 'b');
const search = ({ search }: Connection) => search('dc=a', { attributes: ['*'], limit: 10 });
const searchPages = ({ search }: Connection) => search('dc=a', { attributes: ['*'], limit: 10, pageSize: 5 });
const notAvailable = (problem: string) => `The directory is not available: ${problem}.`;
const noMessage = notAvailable('it sent what is no message of a directory');

describe('abuse: a hostile directory', () => {
  it('abuse: one that says nothing is given up with the call', async () => {
    const answer = await against(() => undefined, bind, { signal: AbortSignal.timeout(100) });
    expect(answer).toBe(notAvailable('it did not answer in time'));
  });

  it('abuse: one that ends the connection', async () => {
    const close = (_id: number, _tag: number, _content: Buffer, socket: { destroy(): void }) =>
      void socket.destroy() as undefined;
    expect(await against(close, bind)).toBe(notAvailable('the connection was ended'));
  });

  it.each([
    ['no BER at all', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a message of 4 GiB', Buffer.from('3084ffffffff0201016107', 'hex')],
    ['a length without an end', Buffer.from('3080020101', 'hex')],
    ['a length of 127 bytes', Buffer.from('30ff', 'hex')],
    ['an empty message', Buffer.from('3000', 'hex')],
    ['a message without an operation', message(1)],
    ['an unknown operation', message(1, ber(0x6f, octets('a')))],
    ['a result without a number', message(1, ber(0x61, octets(''), octets(''), octets('')))],
    ['a number of nine bytes', ber(0x30, ber(0x02, Buffer.alloc(9, 1)), ber(0x61, octets('')))],
    // These send the library round for ever, where it sees them.
    ['an entry whose attributes are longer than it', message(1, Buffer.from('640904016130047f047f', 'hex'))],
    ['attributes that are none', message(1, ber(0x64, octets('dc=a'), ber(0x30, octets('a'))))],
    [
      'values longer than their list',
      message(1, ber(0x64, octets('a'), ber(0x30, ber(0x30, octets('b'), Buffer.from('317f0401', 'hex'))))),
    ],
    ['referrals that are no texts', message(1, ber(0x73, ber(0x02, 'a')))],
    [
      'a control of pages without pages',
      message(
        1,
        ber(0x65, ber(0x0a, Buffer.from([0])), octets(''), octets('')),
        ber(0xa0, ber(0x30, octets('1.2.840.113556.1.4.319'), octets('x'))),
      ),
    ],
  ])('abuse: %s', async (_name, bytes) => {
    expect(await against(() => bytes, search)).toBe(noMessage);
  });

  it('abuse: nine thousand messages at once, which would be as deep a call', async () => {
    const many = Buffer.concat(Array.from({ length: 9_000 }, () => message(77, ber(0x64, octets(''), ber(0x30)))));
    expect(await against((id) => Buffer.concat([many, done(id, 0x61)]), bind)).toBe(true);
  });

  it('abuse: entries without an end', async () => {
    const flood = (
      id: number,
      tag: number,
      _content: Buffer,
      socket: { write(bytes: Buffer): boolean; destroyed: boolean },
    ) => {
      const some = Buffer.concat(Array.from({ length: 1_000 }, () => entry(id, 'dc=a', ['cn', 'x'.repeat(100)])));
      const more = () => {
        if (socket.destroyed) return;
        socket.write(some);
        setImmediate(more);
      };
      if (tag === 0x63) more();
      return undefined;
    };
    expect(await against(flood, search)).toBe(notAvailable('it sent more than is read'));
    await directory?.stop();
    const big = (id: number) => entry(id, 'dc=a', ['cn', 'x'.repeat(5_000_000)]);
    expect(await against(big, search)).toBe(noMessage);
  });

  it('abuse: pages without an end', async () => {
    const page = (id: number) =>
      Buffer.concat([
        entry(id, 'dc=a'),
        message(
          id,
          ber(0x65, ber(0x0a, Buffer.from([0])), octets(''), octets('')),
          ber(
            0xa0,
            ber(0x30, octets('1.2.840.113556.1.4.319'), octets(ber(0x30, ber(0x02, Buffer.from([0])), octets('more')))),
          ),
        ),
      ]);
    expect(await against(page, searchPages)).toBe('More than 10 entries of the directory match.');
    expect(directory?.seen.length).toBeLessThan(15);
  });

  it('abuse: a directory that sends callers elsewhere is not followed', async () => {
    expect(await against((id) => done(id, 0x61, 10), bind)).toBe(notAvailable('it sends callers to another one'));
    await directory?.stop();
    const reference = (id: number) =>
      Buffer.concat([message(id, ber(0x73, octets('ldap://127.0.0.1:9/dc=b'))), done(id, 0x65)]);
    expect(await against(reference, search)).toEqual([]);
  });

  it('abuse: a directory without encryption gets no password where it is wanted, nor does one that goes on in the clear', async () => {
    expect(await against((id) => done(id, 0x78, 2), bind, {}, 'starttls')).toBe(
      notAvailable('it does not know what was asked for'),
    );
    expect(directory?.seen.map(({ tag }) => tag)).toEqual([0x77]);
    await directory?.stop();
    const inClear = (id: number) => Buffer.concat([done(id, 0x78), Buffer.from('3030', 'hex')]);
    expect(await against(inClear, bind, {}, 'starttls')).toBe(notAvailable('it went on unencrypted'));
  });

  it('abuse: attributes with the names of parts of objects are values like any other; secrets are left out', async () => {
    const odd: [string, string][] = [
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['userPassword;lang-de', 'secret'],
      ...[...secretAttributes].map((name): [string, string] => [name.toUpperCase(), 'secret']),
    ];
    const found = (await against(
      (id) => Buffer.concat([entry(id, 'dc=a', ...odd), done(id, 0x65)]),
      search,
    )) as never[];
    const record = recordOf(found[0]!);
    expect(JSON.stringify(record)).not.toContain('secret');
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(record.constructor).toBe('y');
  });
});

it('abuse: bytes at random, and messages with one byte changed, are judged without a fault', () => {
  const good = entry(3, 'cn=a,dc=b', ['cn', 'a'], ['sn', 'b']);
  expect(isMessage(good)).toBe(true);
  for (let at = 0; at < good.length; at++)
    for (const value of [0, 1, 0x30, 0x7f, 0x80, 0x84, 0xff]) {
      const changed = Buffer.from(good);
      changed[at] = value;
      expect(typeof isMessage(changed)).toBe('boolean');
    }
  for (let length = 0; length < good.length; length++) expect(isMessage(good.subarray(0, length))).toBe(false);
});

describe('a filter of a caller', () => {
  it('is read whole', async () => {
    const { parse } = await loadFilters();
    for (const text of [
      '(cn=a)',
      'cn=a',
      '(&(cn=a)(|(sn=b*)(sn=*c))(!(mail=*)))',
      '(cn=\\28a\\29)',
      '(objectGUID=\\01\\ff)',
      '(age>=5)',
      '(memberOf:1.2.840.113556.1.4.1941:=cn=x,dc=y)',
      '(cn=a*b*c)',
      '(cn;lang-de~=x)',
      '(cn=j\\c3\\b6)',
    ])
      expect(() => parse(text), text).not.toThrow();
  });

  it.each([
    '',
    '(',
    ')',
    '()',
    '(cn)',
    '(cn=a',
    '(cn=a))',
    '(cn=a)(cn=b)',
    '(&)',
    '(!(cn=a)(cn=b))',
    '(cn=(a)',
    '(=a)',
    '(cn=\\4)',
    '(cn=\\zz)',
    '(userPassword=a*)',
    '(&(cn=a)(ms-Mcs-AdmPwd=a*))',
    '(2.5.4.35=a)',
    '(userPassword;x=a)',
    '(:caseExactMatch:=a)',
    '(cn>=\\ff)',
    `(cn=${'a'.repeat(9_000)})`,
    `${'(!'.repeat(30)}(cn=a)${')'.repeat(30)}`,
    `(|${'(cn=a)'.repeat(300)})`,
  ])('abuse: %s is refused', async (text) => {
    const { parse } = await loadFilters();
    expect(() => parse(text)).toThrow('The filter cannot be used: ');
  });
});
