// An LDAP server to test with, from an installed slapd: a directory of people (dc=example,dc=com) that anybody may search, and one
// with the attributes of an Active Directory (dc=corp,dc=example,dc=com) that those who are signed in may.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSigned } from './certificates.ts';
import { freePort, ownFolder } from './databases/own-server.ts';
import { programOf, remoteServerMissing, serve } from './remote-servers.ts';

export const directoryMissing = (): string | undefined => remoteServerMissing('ldap');

export interface DirectoryServer {
  host: string;
  port: number;
  /** Where it listens encrypted from the beginning; the other port takes StartTLS. */
  securePort: number;
  /** The certificate to trust: of `localhost` and 127.0.0.1. */
  ca: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const people = 'ou=people,dc=example,dc=com';
export const corp = 'dc=corp,dc=example,dc=com';
/** What everybody of the directories signs in with, but for those of `passwords`. */
export const password = 'the right one';
/** Who looks for others in `corp`. */
export const reader = { username: `cn=reader,ou=service,${corp}`, password: 'reads all' };

/** The identifiers of the domain `corp` and of what is numbered in it. */
const sid = (number: number): string => {
  const bytes = Buffer.from('010500000000000515000000a1b2c3d4a1b2c3d4a1b2c3d400000000', 'hex');
  bytes.writeUInt32LE(number, bytes.length - 4);
  return bytes.toString('base64');
};
export const sidText = (number: number): string => `S-1-5-21-3569595041-3569595041-3569595041-${number}`;
const guid = (number: number): string => Buffer.from(`${number}`.padStart(16, '0')).toString('base64');

const domain = (name: string, dc: string) => [`dn: ${name}`, 'objectClass: domain', `dc: ${dc}`, ''];
const unit = (name: string) => [
  `dn: ${name}`,
  'objectClass: organizationalUnit',
  `ou: ${name.slice(3).split(',')[0]}`,
  '',
];

const person = (uid: string, cn: string, ...more: string[]) => [
  ...[
    `dn: uid=${uid},${people}`,
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    `cn: ${cn}`,
    `sn: ${cn.split(' ').at(-1)}`,
  ],
  ...[`userPassword: ${password}`, ...more, ''],
];

interface AdPerson {
  cn: string;
  account: string;
  number: number;
  primary?: number;
  groups?: string[];
  more?: string[];
}

const group = (name: string) => `cn=${name},ou=groups,${corp}`;

const adPerson = ({ cn, account, number, primary = 513, groups = [], more = [] }: AdPerson) => [
  ...[
    `dn: cn=${cn},ou=staff,${corp}`,
    'objectClass: adUser',
    'objectClass: user',
    `cn: ${cn}`,
    `sAMAccountName: ${account}`,
  ],
  ...[`userPrincipalName: ${account}@corp.example.com`, `userPassword: ${password}`, `primaryGroupID: ${primary}`],
  ...[`objectSid:: ${sid(number)}`, `objectGUID:: ${guid(number)}`],
  ...groups.map((name) => `memberOf: ${group(name)}`),
  ...[...more, ''],
];

const adGroup = (name: string, number: number, groups: string[] = [], members: string[] = []) => [
  ...[
    `dn: ${group(name)}`,
    'objectClass: adGroup',
    'objectClass: group',
    `cn: ${name}`,
    `sAMAccountName: ${name.toLowerCase()}`,
  ],
  ...[`objectSid:: ${sid(number)}`, `objectGUID:: ${guid(number)}`],
  ...groups.map((parent) => `memberOf: ${group(parent)}`),
  ...members.map((member) => `member: ${member}`),
  '',
];

const adComputer = (name: string, number: number) => [
  ...[`dn: cn=${name},ou=computers,${corp}`, 'objectClass: adUser', 'objectClass: user', 'objectClass: computer'],
  ...[`cn: ${name}`, `sAMAccountName: ${name}$`, `userPassword: ${password}`, `objectGUID:: ${guid(number)}`, ''],
];

/** How many computers `corp` has: more than a page of the tests. */
export const computers = 45;

const ldif = [
  ...domain('dc=example,dc=com', 'example'),
  ...unit(people),
  ...person('jo', 'Jo Doe', 'mail: jo@example.com', 'givenName: Jo'),
  ...person('kay', 'Kay'),
  ...person('ada', 'Ada', 'mail: ada@example.com'),
  // Two of one address, of whom neither signs in by it.
  ...person('lee', 'Lee One', 'mail: lee@example.com'),
  ...person('lee2', 'Lee Two', 'mail: lee@example.com'),
  // Whose name would be another one where it were put into a filter.
  ...person('star', 'Star', 'mail: *@example.com'),
].join('\n');

const corpLdif = [
  ...domain(corp, 'corp'),
  ...['staff', 'groups', 'computers', 'service'].flatMap((name) => unit(`ou=${name},${corp}`)),
  ...[`dn: ${reader.username}`, 'objectClass: adUser', 'cn: reader', `userPassword: ${reader.password}`, ''],
  ...adPerson({
    cn: 'Jo Doe',
    account: 'jo',
    number: 1101,
    groups: ['Readers'],
    more: ['mail: jo@example.com', 'displayName: Jo Doe'],
  }),
  ...adPerson({ cn: 'Kim Roe', account: 'kim', number: 1102, groups: ['Nested'] }),
  ...adPerson({ cn: 'Max Poe', account: 'max', number: 1103, primary: 600, groups: ['Readers'] }),
  ...adPerson({ cn: 'Nia, Low', account: 'nia', number: 1104 }).map((line) =>
    line.replace('cn=Nia, Low', 'cn=Nia\\, Low'),
  ),
  // An account whose other name is the one of somebody else.
  ...adPerson({ cn: 'Eve Own', account: 'eve', number: 1105 }).map((line) =>
    line.startsWith('userPrincipalName') ? 'userPrincipalName: jo@corp.example.com' : line.replace(password, 'of eve'),
  ),
  ...adGroup('Domain Users', 513),
  ...adGroup('Admins', 600),
  ...adGroup('Readers', 1201, [], [`cn=Jo Doe,ou=staff,${corp}`, `cn=Max Poe,ou=staff,${corp}`]),
  // Groups in groups, in a circle.
  ...adGroup('Nested', 1202, ['Middle'], [`cn=Kim Roe,ou=staff,${corp}`]),
  ...adGroup('Middle', 1203, ['Outer', 'Readers']),
  ...adGroup('Outer', 1204, ['Nested']),
  ...Array.from({ length: computers }, (_, index) => adComputer(`PC${index + 1}`, 2000 + index)).flat(),
].join('\n');

/** The attributes of an Active Directory that are looked at, with rules to compare them by. */
const schema = `
attributetype ( 1.3.6.1.4.1.99999.1.1 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SUBSTR caseIgnoreSubstringsMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.1.2 NAME 'userPrincipalName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.1.3 NAME 'primaryGroupID' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.1.4 NAME 'objectSid' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.1.5 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.1.6 NAME 'memberOf' EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )
attributetype ( 1.3.6.1.4.1.99999.1.7 NAME 'unicodePwd' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.99999.2.1 NAME 'adUser' SUP top STRUCTURAL MUST cn MAY ( sAMAccountName $ userPrincipalName $ primaryGroupID $ objectSid $ objectGUID $ memberOf $ userPassword $ unicodePwd $ mail $ displayName $ givenName $ sn $ description $ jpegPhoto ) )
objectclass ( 1.3.6.1.4.1.99999.2.2 NAME 'adGroup' SUP top STRUCTURAL MUST cn MAY ( sAMAccountName $ objectSid $ objectGUID $ memberOf $ member ) )
objectclass ( 1.3.6.1.4.1.99999.2.3 NAME 'user' SUP top AUXILIARY )
objectclass ( 1.3.6.1.4.1.99999.2.4 NAME 'group' SUP top AUXILIARY )
objectclass ( 1.3.6.1.4.1.99999.2.5 NAME 'computer' SUP top AUXILIARY )
`;

/** Starts a directory server; `more` are lines of its configuration: `require bind` keeps strangers from searching. */
export async function startDirectoryServer({ more = [] }: { more?: string[] } = {}): Promise<DirectoryServer> {
  const own = ownFolder('');
  const at = (name: string) => join(own.folder, name);
  const { key, cert } = selfSigned(
    ...['-newkey', 'rsa:2048', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  );
  writeFileSync(at('key.pem'), key, { mode: 0o600 });
  writeFileSync(at('cert.pem'), cert);
  writeFileSync(at('corp.schema'), schema);
  const database = (folder: string, suffix: string, ...lines: string[]) => {
    execFileSync('mkdir', [at(folder)]);
    return ['database mdb', 'maxsize 67108864', `suffix "${suffix}"`, `directory ${at(folder)}`, ...lines];
  };
  const passwords = 'access to attrs=userPassword by anonymous auth by * none';
  writeFileSync(
    at('config'),
    [
      ...['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`),
      `include ${at('corp.schema')}`,
      ...['modulepath /usr/lib/ldap', 'moduleload back_mdb', `pidfile ${at('pid')}`],
      ...[`TLSCACertificateFile ${at('cert.pem')}`, `TLSCertificateFile ${at('cert.pem')}`],
      ...[`TLSCertificateKeyFile ${at('key.pem')}`, 'sizelimit size.soft=20 size.hard=20 size.prtotal=unlimited'],
      ...more,
      ...database('corp-data', corp, passwords, 'access to * by users read by * none'),
      ...database('data', 'dc=example,dc=com', passwords, 'access to * by * read'),
      '',
    ].join('\n'),
  );
  for (const [suffix, text] of [
    [corp, corpLdif],
    ['dc=example,dc=com', ldif],
  ] as const) {
    writeFileSync(at('data.ldif'), `${text}\n`);
    execFileSync(
      programOf('ldap')!.replace(/slapd$/, 'slapadd'),
      ['-q', '-f', at('config'), '-b', suffix, '-l', at('data.ldif')],
      {
        stdio: 'pipe',
      },
    );
  }
  const [port, securePort] = [await freePort(), await freePort()];
  const addresses = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${securePort}/`;
  const server = await serve(own, port, [programOf('ldap') as string, '-d', '0', '-f', at('config'), '-h', addresses]);
  const ca = readFileSync(at('cert.pem'), 'utf8');
  return { ...server, securePort, ca };
}
