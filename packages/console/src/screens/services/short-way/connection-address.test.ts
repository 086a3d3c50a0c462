import { describe, expect, it } from 'vitest';
import type { Filling } from './address.ts';
import { maxAddressLength, readAddress } from './connection-address.ts';

const pgsql = { host: 'db.example.com', port: 5432, database: 'shop', username: 'ann', password: 'secret' };
const mysql = { ...pgsql, port: 3306 };

describe('an address', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['postgres://ann:secret@db.example.com:5432/shop', 'pgsql', pgsql],
    [' postgresql://ann:secret@db.example.com:5432/shop \n', 'pgsql', pgsql],
    ['postgresql+psycopg2://ann:secret@db.example.com:5432/shop', 'pgsql', pgsql],
    ['POSTGRES://ann:secret@db.example.com:5432/shop?sslmode=require', 'pgsql', { ...pgsql, sslmode: 'require' }],
    ['postgres://ann@db.example.com/shop', 'pgsql', { host: 'db.example.com', database: 'shop', username: 'ann' }],
    ['postgres://db.example.com/shop?user=ann&password=secret&port=5432', 'pgsql', pgsql],
    ['postgres:///shop?host=/var/run/postgresql', 'pgsql', { database: 'shop', host: '/var/run/postgresql' }],
    ['postgres://ann@%2Frun%2Fpg/shop', 'pgsql', { database: 'shop', host: '/run/pg', username: 'ann' }],
    ['postgres://[::1]:5433/shop', 'pgsql', { host: '::1', port: 5433, database: 'shop' }],
    ['jdbc:postgresql://db.example.com:5432/shop?user=ann&password=secret', 'pgsql', pgsql],
    [
      'jdbc:postgresql://h/shop?ssl=true&currentSchema=sales',
      'pgsql',
      { host: 'h', database: 'shop', sslmode: 'require', schema: 'sales' },
    ],
    [
      'jdbc:postgresql://h/shop?ssl=true&sslmode=verify-full',
      'pgsql',
      { host: 'h', database: 'shop', sslmode: 'verify-full' },
    ],
    ['pgsql:host=db.example.com;port=5432;dbname=shop;user=ann;password=secret', 'pgsql', pgsql],
    ["host=db.example.com port=5432 dbname=shop user=ann password='secret'", 'pgsql', pgsql],
    ['Host=db.example.com;Port=5432;Database=shop;Username=ann;Password=secret', 'pgsql', pgsql],
    ['Host=h;Database=shop;SSL Mode=VerifyFull', 'pgsql', { host: 'h', database: 'shop', sslmode: 'verify-full' }],
    ['redshift://ann:secret@db.example.com:5432/shop', 'aws_redshift_db', pgsql],
    ['jdbc:redshift://db.example.com:5432/shop?UID=ann&PWD=secret', 'aws_redshift_db', pgsql],
    ['mysql://ann:secret@db.example.com:3306/shop', 'mysql', mysql],
    ['mariadb://ann:secret@db.example.com:3306/shop', 'mysql', mysql],
    ['mysql+pymysql://ann:secret@db.example.com:3306/shop?charset=utf8mb4', 'mysql', { ...mysql, charset: 'utf8mb4' }],
    ['mysql://h/shop?ssl-mode=REQUIRED', 'mysql', { host: 'h', database: 'shop', options: { ssl_mode: 'REQUIRED' } }],
    [
      'jdbc:mariadb://h/shop?sslMode=VerifyCA',
      'mysql',
      { host: 'h', database: 'shop', options: { ssl_mode: 'VERIFY_CA' } },
    ],
    ['jdbc:mysql://h/shop?useSSL=true', 'mysql', { host: 'h', database: 'shop', options: { ssl_mode: 'REQUIRED' } }],
    ['jdbc:mysql://h/shop?useSSL=false', 'mysql', { host: 'h', database: 'shop' }],
    ['mysql:unix_socket=/run/mysqld.sock;dbname=shop', 'mysql', { unix_socket: '/run/mysqld.sock', database: 'shop' }],
    ['Server=db.example.com;Port=3306;Database=shop;Uid=ann;Pwd=secret;', 'mysql', mysql],
    ['singlestore://ann:secret@db.example.com:3306/shop', 'memsql', mysql],
    [
      'Server=tcp:db.example.com;Initial Catalog=shop;User ID=ann;Password="se;cret"',
      'sqlsrv',
      { host: 'db.example.com', database: 'shop', username: 'ann', password: 'se;cret' },
    ],
    [
      'jdbc:sqlserver://db.example.com:1433;databaseName=shop;user=ann;password=secret',
      'sqlsrv',
      { ...pgsql, port: 1433 },
    ],
    ['sqlite:shop.sqlite', 'sqlite', { database: 'shop.sqlite' }],
    ['sqlite:///var/lib/shop.db', 'sqlite', { database: '/var/lib/shop.db' }],
    ['sqlite:////var/lib/shop.db', 'sqlite', { database: '/var/lib/shop.db' }],
    ['jdbc:sqlite:/var/lib/shop.db', 'sqlite', { database: '/var/lib/shop.db' }],
    ['file:shop.db?mode=ro', 'sqlite', { database: 'shop.db' }],
    ['/var/lib/my shop.sqlite3', 'sqlite', { database: '/var/lib/my shop.sqlite3' }],
    ['C:\\data\\shop.db', 'sqlite', { database: 'C:\\data\\shop.db' }],
  ])('%s', (address, type, config) => {
    expect(readAddress(address, '')).toMatchObject({ type, config });
    expect(Object.keys((readAddress(address, '') as Filling).config).sort()).toEqual(Object.keys(config).sort());
  });

  it.each([
    ['p@ss', 'postgres://ann:p@ss@h/shop'],
    ['p/a:s#s', 'postgres://ann:p/a:s#s@h/shop'],
    ['p?ss', 'postgres://ann:p?ss@h/shop'],
    ['pä ss%', 'postgres://ann:p%C3%A4%20ss%25@h/shop'],
    ['100%', 'postgres://ann:100%@h/shop'],
    ['a:b', 'postgres://ann:a:b@h/shop'],
  ])('has the password %s whatever its signs', (password, address) => {
    expect(readAddress(address, '')).toEqual({
      type: 'pgsql',
      config: { host: 'h', database: 'shop', username: 'ann', password },
      unused: [],
    });
  });

  it.each([
    ['', 'empty'],
    ['shop', 'unknownForm'],
    ['https', 'unknownForm'],
    ['postgres://h/shop\nmysql://h/shop', 'unknownForm'],
    [`postgres://h/${'x'.repeat(maxAddressLength)}`, 'unknownForm'],
    ['postgres:///shop', 'noHost'],
    ['postgres://a:5432,b:5432/shop', 'severalHosts'],
    ['postgres://h:70000/shop', 'port'],
    ['postgres://h:abc/shop', 'port'],
    ['sqlite:', 'noDatabase'],
    ['sqlite::memory:', 'memory'],
  ])('%j is not taken: %s', (address, problem) => {
    expect(readAddress(address, '')).toEqual({ problem });
  });

  it('of an unknown kind is called by its scheme, and by nothing else of it', () => {
    expect(readAddress('mongodb+srv://ann:secret@h/shop', '')).toEqual({
      problem: 'unknownScheme',
      scheme: 'mongodb+srv',
    });
  });

  it('names parameters that have no place, never their values', () => {
    const address = 'postgres://h/shop?connect_timeout=10&pgbouncer=true&se%20cret%3D!=1&search_path=a,b';
    const reading = readAddress(address, '') as Filling;
    expect(reading.unused).toEqual(['connect_timeout', 'pgbouncer', 'search_path']);
    expect(Object.keys(reading.config)).toEqual(['host', 'database']);
    const many = Array.from({ length: 50 }, (_, index) => `p${index}=1`).join('&');
    expect((readAddress(`postgres://h/shop?${many}`, '') as Filling).unused).toHaveLength(8);
  });

  it('may not reach into objects by its names', () => {
    const reading = readAddress('postgres://h/shop?__proto__=1&constructor=2&toString=3', '') as Filling;
    expect(reading.config).toEqual({ host: 'h', database: 'shop' });
  });

  it('of PostgreSQL and MySQL leaves a chosen type that speaks as they do', () => {
    expect(readAddress('postgres://h/shop', 'aws_redshift_db')).toMatchObject({ type: 'aws_redshift_db' });
    expect(readAddress('mysql://h/shop', 'memsql')).toMatchObject({ type: 'memsql' });
    expect(readAddress('mysql://h/shop', 'pgsql')).toMatchObject({ type: 'mysql' });
  });

  it.each([
    ['mysql', 'mysql'],
    ['sqlsrv', 'sqlsrv'],
    ['', 'sqlsrv'],
  ])('that several kinds write alike is for the chosen type %j', (current, type) => {
    expect(readAddress('Server=h;Database=shop;User Id=ann;Password=x', current)).toMatchObject({ type });
  });
});
