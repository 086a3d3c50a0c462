// A whole platform in this process: real store in a folder of its own, real web server on a free port.
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlatform, type StartedPlatform } from '@sluice/server';
import { anonymousCaller } from '@sluice/server/call/call';
import { openAppsPort } from '@sluice/server/http/apps';
import { createWebServer } from '@sluice/server/http/server';
import type { ServiceType } from '@sluice/server/service/service';
import { readSettings, type Settings } from '@sluice/server/settings/index';
import { openStorePlace } from './store.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The body as it came. */
  bytes: Buffer;
  /** The parsed body; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface AskOptions {
  /** Sent as JSON unless it is a text or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Who asks: a session token, or nobody. The administrator when absent. */
  token?: string | null;
  key?: string;
}

export interface TestPlatform {
  url: string;
  folder: string;
  settings: Settings;
  /** What the server logs with; silent, but it can be watched. */
  log: Pick<StartedPlatform['platform']['log'], 'error' | 'warn' | 'info'>;
  /** Where the platform keeps what it knows. */
  store: Pick<StartedPlatform['platform']['store'], 'db' | 'ping' | 'bus'>;
  /** What is written, once it is committed. */
  notices: StartedPlatform['platform']['notices'];
  /** The service types there are. */
  types: readonly ServiceType[];
  /** A good token of somebody, active or not. */
  tokenOf(userId: number): Promise<string>;
  /** Calls the API under `/api/v2/`; a path that begins with `/` is taken as it is. */
  ask(verb: string, path: string, options?: AskOptions): Promise<Answer>;
  /** Creates one record of a system resource as the administrator and answers it whole. */
  create(
    resource: string,
    record: Record<string, unknown>,
    related?: string,
  ): Promise<Record<string, never> & { id: number }>;
  adminToken: string;
  stop(): Promise<void>;
}

export const administrator = { email: 'ada@example.com', password: 'correct horse' };

/** Starts a platform with an administrator on a fresh store; `set` overrides settings. */
export async function startPlatform(set: Partial<Settings> = {}): Promise<TestPlatform> {
  const folder = set.data ?? (await mkdtemp(join(tmpdir(), 'sluice-test-')));
  const storePlace = await openStorePlace();
  const settings: Settings = {
    ...readSettings({}),
    data: folder,
    databaseUrl: storePlace.url,
    log: 'silent',
    consoleFolder: '',
    adminEmail: administrator.email,
    adminPassword: administrator.password,
    ...set,
  };
  const { platform, close } = await createPlatform(settings);
  const server = await createWebServer(platform);
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  if (settings.appsPort !== '') await openAppsPort(server, settings);
  const session = await send(url, 'POST', 'system/admin/session', { body: administrator, token: null }, '');
  const adminToken: string = session.body?.session_token ?? '';
  const ask: TestPlatform['ask'] = (verb, path, options = {}) => send(url, verb, path, options, adminToken);
  return {
    url,
    folder,
    settings,
    log: platform.log,
    store: platform.store,
    notices: platform.notices,
    types: platform.services.types,
    tokenOf: (userId) =>
      platform.identity.issueToken(userId, { id: '', caller: anonymousCaller, ip: '', userAgent: null, baseUrl: url }),
    ask,
    adminToken,
    async create(resource, record, related) {
      const query = `fields=*${related ? `&related=${related}` : ''}`;
      const { status, body, text } = await ask('POST', `system/${resource}?${query}`, { body: { resource: [record] } });
      if (status !== 201) throw new Error(`creating ${resource}: ${status} ${text}`);
      return body.resource[0];
    },
    async stop() {
      await server.close();
      await close();
      storePlace.free();
      if (!set.data) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A bare request: unlike fetch it sends any path, header and method as they are, and a GET with a body. */
function send(url: string, method: string, path: string, ask: AskOptions, adminToken: string): Promise<Answer> {
  const { body, token = adminToken, key } = ask;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  const headers: Record<string, string> = {
    ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
    ...(token ? { 'x-dreamfactory-session-token': token } : {}),
    ...(key ? { 'x-dreamfactory-api-key': key } : {}),
    ...(bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) }),
    ...ask.headers,
  };
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path: path.startsWith('/') ? path : `/api/v2/${path}`, headers },
      (response) => {
        const chunks: Buffer[] = [];
        const finish = () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
            text,
            bytes,
            body: parsed(text),
          });
        };
        // Events go on for as long as their caller listens: the head is the answer.
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          finish();
          request.destroy();
          return;
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', finish);
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
