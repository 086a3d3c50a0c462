// Addresses that tell about the instance without a key (contract/http-basics.md §1, docs/design.md "Running it").
import { platform as systemName } from 'node:os';
import type { ConsoleSettings } from '@sluice/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../gateway/platform.ts';
import { linksOf } from '../settings/index.ts';
import { contractVersion, sluiceVersion } from '../settings/version.ts';

export function addStatus(server: FastifyInstance, { settings, store, identity }: Platform): void {
  const links = linksOf(settings);

  server.get('/healthz', async () => ({ status: 'ok' }));

  server.get('/readyz', async (request, reply) => {
    try {
      await store.ping();
      return { status: 'ok' };
    } catch (error) {
      request.log.error({ err: error }, 'the store does not answer');
      return reply.status(503).send({ status: 'unavailable', reason: 'The store does not answer.' });
    }
  });

  server.get('/console.json', async (_request, reply): Promise<ConsoleSettings> => {
    reply.header('Cache-Control', 'no-store');
    return {
      api_key: await identity.appKey('admin'),
      base_url: '',
      setup_needed: !(await identity.isSetUp()),
      version: sluiceVersion,
      links,
    };
  });

  server.get('/status', async (request) => ({
    uri: settings.publicUrl || `${request.protocol}://${request.host}`,
    managed: false,
    dist: 'Sluice',
    demo: settings.demo,
    version: contractVersion,
    license: settings.license,
    host_os: systemName(),
    last_admin_login: await lastAdminLogin(store),
    resources: await counts(store),
  }));
}

type Store = Platform['store'];

async function lastAdminLogin({ db }: Store): Promise<string | null> {
  const row = await db
    .selectFrom('user')
    .select(({ fn }) => fn.max('last_login_date').as('latest'))
    .where('is_sys_admin', '=', 1)
    .executeTakeFirst();
  return row?.latest ?? null;
}

async function counts({ db }: Store): Promise<Record<string, number>> {
  const count = async (table: 'app' | 'service' | 'role') =>
    Number(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  const people = async (isAdmin: number) =>
    Number(
      (
        await db
          .selectFrom('user')
          .select(({ fn }) => fn.countAll().as('n'))
          .where('is_sys_admin', '=', isAdmin)
          .executeTakeFirstOrThrow()
      ).n,
    );
  return {
    app: await count('app'),
    admin: await people(1),
    user: await people(0),
    service: await count('service'),
    role: await count('role'),
  };
}
