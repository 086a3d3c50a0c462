// An instance whose service `raw` answers what a test wants; the rest is real: gateway, web server, connections.
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { verbs } from '@sluice/contract';
import { createPlatform } from '../app.ts';
import type { ByteBudget } from '../call/byte-budget.ts';
import { anonymousCaller, type Call, type Reply } from '../call/call.ts';
import { type Operation, routesOf } from '../service/operation.ts';
import { type OpenService, type ServiceContext, type ServiceType, serviceType } from '../service/service.ts';
import { readSettings, type Settings } from '../settings/index.ts';
import { createWebServer } from './server.ts';
import type { SlowReaders } from './slow-readers.ts';
import type { SlowSenders } from './slow-senders.ts';

export interface RawInstance {
  /** What `/api/v2/raw/…` is answered with from now on. */
  answer(handle: (call: Call) => Reply | Promise<Reply>): void;
  /** Begins a request as the administrator; a body is the caller's to write and end. */
  begin(path: string, options?: RequestOptions): ClientRequest;
  /** The head of an answer whose body is the caller's to read. */
  head(request: ClientRequest): Promise<IncomingMessage>;
  port: number;
  /** The administrator's. */
  token: string;
  /** How many connections are open. */
  connections(): Promise<number>;
  ask(method: string, path: string, headers?: Record<string, string>): Promise<RawAnswer>;
  /** How often calls failed, by key of the catalogue. */
  failures: ReadonlyMap<string, number>;
  /** Bytes of answers in memory. */
  answers: ByteBudget;
  slowReaders: SlowReaders;
  slowSenders: SlowSenders;
  /** Milliseconds without a byte after which the connection of an answer is broken off; 0: never. */
  idleTimeout(response: IncomingMessage): number | undefined;
  /** Waits until there is something that a caller does not read: all connections have taken what they do, and one has more. */
  unread(): Promise<void>;
  stop(): Promise<void>;
}

export interface RawAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

export async function startRawInstance(changes: Partial<Settings> = {}): Promise<RawInstance> {
  const data = mkdtempSync(join(tmpdir(), 'sluice-answering-'));
  const administrator = { adminEmail: 'ada@example.com', adminPassword: 'correct horse' };
  const settings = { ...readSettings({}), data, databaseUrl: 'sqlite::memory:', consoleFolder: '', ...administrator };
  const { platform, close } = await createPlatform({ ...settings, log: 'silent', ...changes });
  let handle: (call: Call) => Reply | Promise<Reply> = () => ({ body: { value: null } });
  const { services } = platform;
  // Strangers may call it too.
  const operation: Operation<OpenService> = {
    summary: 'Answers what a test says',
    answer: 'any value',
    streams: { limit: changes.bodyLimit ?? settings.bodyLimit },
    handle: (call) => handle(call),
  };
  const operations = Object.fromEntries(verbs.map((verb) => [verb, operation]));
  const route = routesOf<OpenService>();
  const type = serviceType({
    ...{ name: 'raw', label: 'Raw', description: '', group: 'File', can: {}, config: null },
    routes: [route('', operations, { public: verbs }), route('{+path}', operations, { public: verbs })],
    open: () => ({}),
  });
  const service = await type.open({}, {} as ServiceContext);
  const open: typeof services.open = (name) => (name === 'raw' ? service : services.open(name));
  const row = {
    id: 0,
    key: 'raw',
    name: 'raw',
    label: 'Raw',
    description: null,
    type: 'raw',
    isActive: true,
    config: {},
  };
  const raw = { row, type: type as ServiceType, isPublic: () => true };
  const addressed: typeof services.find = (key) => (key === 'raw' ? raw : services.find(key));
  const server = await createWebServer({ ...platform, services: { ...services, find: addressed, open } });
  const { hostname, port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  const from = { id: '', caller: anonymousCaller, ip: '', userAgent: null, baseUrl: '' };
  const token = await platform.identity.issueToken(1, from);

  const begin: RawInstance['begin'] = (path, { headers, ...options } = {}) =>
    httpRequest({
      ...{ hostname, port, path: `/api/v2/raw/${path}` },
      headers: { 'x-dreamfactory-session-token': token, ...(headers as Record<string, string>) },
      ...options,
    });
  const head: RawInstance['head'] = (request) =>
    new Promise((resolve, reject) => request.on('response', resolve).on('error', reject));
  return {
    answer(next) {
      handle = next;
    },
    begin,
    head,
    port: Number(port),
    token,
    connections: () =>
      new Promise((resolve, reject) =>
        server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async ask(method, path, headers = {}) {
      const response = await head(begin(path, { method, headers }).end());
      const text = (await buffer(response)).toString();
      return { status: response.statusCode ?? 0, headers: response.headers, text };
    },
    failures: platform.metrics.failures,
    answers: platform.answers,
    slowReaders: server.slowReaders,
    slowSenders: server.slowSenders,
    idleTimeout: ({ socket: { localPort } }) =>
      [...server.connections.open].find(({ remotePort }) => remotePort === localPort)?.timeout ?? 0,
    async unread() {
      for (let before = -1; ; ) {
        await wait(100);
        let waiting = 0;
        let taken = 0;
        for (const { writableLength, bytesWritten } of server.connections.open) {
          waiting += writableLength;
          taken += bytesWritten - writableLength;
        }
        if (waiting > 0 && taken === before) return;
        before = taken;
      }
    },
    async stop() {
      await server.close();
      await close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
