// Addresses that describe the instance and need no key (contract/http-basics.md §1, docs/design.md "Running it").
import { platform as systemName } from 'node:os';
import { type ConsoleSettings, Failure } from '@sluice/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../call/address.ts';
import type { Platform } from '../gateway/platform.ts';
import { linksOf } from '../settings/index.ts';
import { contractVersion, sluiceVersion } from '../settings/version.ts';
import { headerOf } from './call.ts';
import { credentialsOf } from './credentials.ts';
import { sendWhole, setHeaders } from './send.ts';

export function addStatus(server: FastifyInstance, platform: Platform): void {
  const { settings, store } = platform;
  const ready = createReadiness(platform);

  addPage('/healthz', () => ({ status: 'ok' }));

  addPage('/readyz', async (_request, reply) => {
    const { isAnnounced } = server.stopping;
    if (!isAnnounced && (await ready())) return { status: 'ok' };
    reply.status(503);
    return {
      status: 'unavailable',
      reason: isAnnounced ? 'This process is stopping.' : 'The store does not answer.',
    };
  });

  addPage('/console.json', () => consoleSettings(platform));

  addPage('/status', async (request) => ({
    uri: settings.publicUrl || `${request.protocol}://${request.host}`,
    managed: false,
    dist: 'Sluice',
    demo: settings.demo,
    version: contractVersion,
    license: settings.license,
    host_os: systemName(),
    ...((await isAdmin(request, platform))
      ? { last_admin_login: await lastAdminLogin(store), resources: await countRecords(store) }
      : { last_admin_login: null, resources: { ...(await countRecords(store)), admin: 0 } }),
  }));

  /** A page of JSON with the headers of all answers, HEAD included. */
  function addPage(url: string, content: (request: FastifyRequest, reply: FastifyReply) => unknown): void {
    server.route({
      method: ['GET', 'HEAD'],
      url,
      async handler(request, reply) {
        const body = JSON.stringify(await content(request, reply));
        setHeaders(request, reply.header('Cache-Control', 'no-store'));
        return sendWhole(request, reply, 'application/json; charset=utf-8', body);
      },
    });
  }
}

/** The settings of the console before a sign-in. */
export const consoleSettings = async ({ settings, identity }: Platform): Promise<ConsoleSettings> => ({
  api_key: await identity.appKey('admin'),
  base_url: '',
  setup_needed: !(await identity.isSetUp()),
  version: sluiceVersion,
  links: linksOf(settings),
  mcp: settings.mcp,
  graphql: settings.graphql,
});

/** Whether the store answers; logged only when that changes, since probes ask all the time. */
function createReadiness({ store, log }: Platform): () => Promise<boolean> {
  let wasReady = true;
  return async () => {
    try {
      await store.ping();
      if (!wasReady) log.info('the store answers again');
      wasReady = true;
    } catch (error) {
      if (wasReady) log.error({ err: error }, 'the store does not answer');
      wasReady = false;
    }
    return wasReady;
  };
}

/** Invalid credentials count as none here. Passwords are not tried. */
async function isAdmin(request: FastifyRequest, { identity }: Platform): Promise<boolean> {
  try {
    const { query } = parseAddress(request.raw.url ?? '/');
    const { basic: _, ...credentials } = credentialsOf(query, (name) => headerOf(request, name));
    if (!credentials.token) return false;
    return (await identity.identify(credentials, { requestor: 'API' })).user?.isAdmin === true;
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return false;
    throw error;
  }
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

async function countRecords({ db }: Store): Promise<Record<string, number>> {
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
