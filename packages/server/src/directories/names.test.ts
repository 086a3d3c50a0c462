import { expect, it } from 'vitest';
import { readAddress } from './address.ts';
import { domainOf, escapeValue, normalizeName } from './names.ts';

it('compares names whatever their case, blanks and escapes', () => {
  const name = 'cn=readers\\2c all,ou=groups,dc=example,dc=com';
  for (const same of [
    'CN=Readers\\, All,OU=Groups,DC=example,DC=com',
    'cn = "readers, all" , ou=groups;dc=example, dc=com',
    'cn=readers\\,  all,ou=groups,dc=example,dc=com',
  ])
    expect(normalizeName(same)).toBe(name);
  expect(normalizeName('ou=a+cn=b,dc=c')).toBe(normalizeName('cn=B+ou=A,dc=C'));
  expect(normalizeName('cn=j\\c3\\b6')).toBe(normalizeName('cn=jö'));
  expect(normalizeName('cn=😀 a,dc=b')).toBe('cn=😀 a,dc=b');
  expect(normalizeName('cn=a\\ ,dc=b')).toBe('cn=a\\20,dc=b');
  expect(normalizeName('cn=a,dc=b')).not.toBe(normalizeName('cn=a,ou=b'));
  for (const none of ['', 'readers', 'cn=a,', 'cn=a,,dc=b', '=a', 'cn=a"b', `cn=${'a'.repeat(9000)}`])
    expect(normalizeName(none), none.slice(0, 20)).toBeUndefined();
});

it('abuse: a value of a caller stays one value in a name', () => {
  for (const value of ['jo,dc=evil', 'jo+cn=admin', ' jo', '#6a6f', 'jo\\', 'jo"', 'jo\0', 'jo;x=y', 'jo ']) {
    const name = `uid=${escapeValue(value)},dc=example`;
    expect(normalizeName(name), value).toBe(`uid=${escapeValue(value.toLowerCase())},dc=example`);
    expect(normalizeName(name)?.endsWith(',dc=example')).toBe(true);
  }
});

it('abuse: no name takes long to read', () => {
  // Each is read ten times: where it takes more than a look at each character, this test ends late.
  for (const part of ['\\', ' ', '"', 'a=', 'cn=a+', '\\"', ' \\'])
    for (const before of ['', 'cn=', 'cn="'])
      for (const end of ['', 'x']) {
        const name = before + part.repeat(8000 / part.length - 4) + end;
        for (let times = 0; times < 10; times++) normalizeName(name);
      }
});

it('knows the domain of a name', () => {
  expect(domainOf('ou=people,dc=Example,dc=com')).toBe('example.com');
  expect([domainOf('o=company'), domainOf('dc=a b'), domainOf('nothing')]).toEqual([undefined, undefined, undefined]);
});

it('reads where a directory is', () => {
  expect(readAddress('ad.example.com')).toEqual({ host: 'ad.example.com', port: 389, security: 'none' });
  expect(readAddress(' ad.example.com:3268 ')).toEqual({ host: 'ad.example.com', port: 3268, security: 'none' });
  expect(readAddress('LDAPS://ad.example.com/')).toEqual({ host: 'ad.example.com', port: 636, security: 'tls' });
  expect(readAddress('ldap+starttls://[::1]:1389')).toEqual({ host: '::1', port: 1389, security: 'starttls' });
  for (const none of ['', 'http://a', 'ldap://a/dc=x', 'a:0', 'a:99999', 'a b', 'ldap://u@a', 'ldap://a?x'])
    expect(readAddress(none), none).toBeUndefined();
});
