// Every address of every service type, called with every verb: what a type's table says is what the server does.
import { mkdirSync } from 'node:fs';
import { verbs } from '@sluice/contract';
import { openSqlite } from '@sluice/sql';
import { type Engine, engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { type AskOptions, startPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedOperation } from '../service/route-table.ts';

/** What stands in for a placeholder; one that is not here is a record that is not there. */
const values: ReadonlyMap<string, string> = new Map([
  ['table_name', 'note'],
  ['field_name', 'title'],
]);

/** Where services of a type find a database; types that are not here open with the defaults of their configuration. */
const places: ReadonlyMap<string, Engine | 'file'> = new Map<string, Engine | 'file'>([
  ['sqlite', 'file'],
  ['mysql', 'mysql'],
  ['memsql', 'mysql'],
  ['pgsql', 'pgsql'],
  ['aws_redshift_db', 'pgsql'],
]);

const addressOf = (path: string) => path.replace(/\{([^}]*)\}/g, (_, name: string) => values.get(name) ?? '4711');

const platform = await startPlatform();
afterAll(() => platform.stop());

const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
});

/** Makes a service of a type with a table `note`, and answers its name. */
async function makeService(type: string): Promise<string> {
  const place = places.get(type);
  const isThere = platform.types.find(({ name }) => name === type)?.singleton;
  if (isThere) return type;
  const table = 'create table note (id integer primary key, title varchar(20))';
  let config: Record<string, unknown> = place === 'file' ? { database: 'notes.sqlite' } : {};
  if (place === 'file') {
    mkdirSync(`${platform.folder}/db`);
    const file = openSqlite(`${platform.folder}/db/notes.sqlite`, { create: true });
    file.exec(table);
    file.close();
  } else if (place) {
    const database = await freshDatabase(place);
    databases.push(database);
    await database.run(table);
    const { host, port, user: username, password } = database;
    config = { host, port, username, password, database: database.database };
  }
  await platform.create('service', { name: type, label: type, type, is_active: true, config });
  return type;
}

for (const { name, routes } of platform.types) {
  const place = places.get(name);
  const missing = place && place !== 'file' ? await engineMissing(place) : undefined;
  const operations = routes.operations;
  const paths = [...new Set(operations.map(({ path }) => path))];
  const at = (path: string): ListedOperation[] => operations.filter((operation) => operation.path === path);

  describe.skipIf(missing)(missing ? `${name}: ${missing}` : name, () => {
    let service: string;
    beforeAll(async () => {
      service = await makeService(name);
    });
    /** A call of an administrator whose session the call may end. */
    const call = async (verb: string, path: string, options: AskOptions = {}) => {
      const token = path.endsWith('session') ? await platform.tokenOf(1) : platform.adminToken;
      return platform.ask(verb, `${service}/${addressOf(path)}`, { token, ...options });
    };

    it('says every address once', () => {
      const lines = operations.map(({ verb, path }) => `${verb} ${path}`);
      expect(lines.length).toBeGreaterThan(0);
      expect(new Set(lines).size).toBe(lines.length);
    });

    it.each(paths)('/%s does what it says, and says what it does not', async (path) => {
      const offered = at(path).map(({ verb }) => verb);
      const allow = offered.flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb])).join(', ');
      for (const verb of verbs) {
        const { status, headers, body, text } = await call(verb, path);
        const outcome = `${verb}: ${status} ${text.slice(0, 200)}`;
        if (offered.includes(verb)) {
          expect(status, outcome).not.toBe(405);
          expect(body?.error?.message ?? '', outcome).not.toMatch(/^Resource '/);
          // 501: what is not built yet says so.
          expect(status < 500 || status === 501, outcome).toBe(true);
        } else if (status === 405) expect(headers.allow, outcome).toBe(allow);
        // Nothing but the refusals a route names itself.
        else expect(body.error.message, outcome).toBe('Create record by identifier not currently supported.');
      }
    });

    it.each(paths.filter((path) => at(path).some(({ verb }) => verb === 'GET')))(
      '/%s answers HEAD as GET, without a body',
      async (path) => {
        const [got, headed] = [await call('GET', path), await call('HEAD', path)];
        expect([headed.status, headed.text]).toEqual([got.status, '']);
        expect(headed.headers['content-type']).toBe(got.headers['content-type']);
      },
    );

    it.each(paths)('/%s is for strangers exactly where it is public', async (path) => {
      for (const verb of verbs) {
        const { status, text } = await call(verb, path, { token: null });
        const refused =
          /^\{"error":\{"code":400,"context":null,"message":"No session token \(JWT\) or API Key detected/.test(text);
        expect([verb, refused && status === 400]).toEqual([verb, !routes.isPublic(addressOf(path), verb)]);
      }
    });
  });
}

it('the list of services is for reading', async () => {
  for (const verb of verbs.filter((verb) => verb !== 'GET')) {
    const { status, headers } = await platform.ask(verb, '');
    expect([verb, status, headers.allow]).toEqual([verb, 405, 'GET, HEAD']);
  }
});
