// Every address of every service type, called with every verb: what a type's table says is what the server does.
import { verbs } from '@sluice/contract';
import { type AskOptions, startPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedOperation } from '../service/route-table.ts';
import { exampleOf, makeExample } from './example.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());

const releases: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const release of releases) await release();
});

for (const type of platform.types) {
  const { name, routes } = type;
  const example = await exampleOf(name);
  const missing = await example.missing?.();
  const values = new Map(Object.entries(example.values ?? {}));
  const addressOf = (path: string) => path.replace(/\{([^}]*)\}/g, (_, name: string) => values.get(name) ?? '4711');
  const operations = routes.operations;
  const paths = [...new Set(operations.map(({ path }) => path))];
  const at = (path: string): ListedOperation[] => operations.filter((operation) => operation.path === path);

  describe.skipIf(missing)(missing ? `${name}: ${missing}` : name, () => {
    let service: string;
    beforeAll(async () => {
      const made = await makeExample(platform, type);
      service = made.service;
      if (made.release) releases.push(made.release);
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
