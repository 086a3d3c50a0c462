// Serves the second address: public files and the API, never the console.
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loggedPath } from '../call/address.ts';
import type { Platform } from '../gateway/platform.ts';
import type { Settings } from '../settings/index.ts';
import { StartError } from '../settings/start-error.ts';
import { isForApps, localName } from './apps-address.ts';
import { sendFailure } from './failure.ts';
import { sendPublicFile } from './public-files.ts';
import { sendWhole, setHeaders } from './send.ts';

/** Ahead of the console's pages: what comes for the second address never gets to them. */
export function addApps(server: FastifyInstance, platform: Platform): void {
  const { appsUrl } = platform.settings;
  const url = appsUrl === '' ? undefined : new URL(appsUrl);
  server.decorate('apps', { url, sockets: new WeakSet(), close: async () => {} });
  let closing: Promise<unknown> | undefined;
  server.addHook('preClose', async () => {
    closing = server.apps.close();
  });
  server.addHook('onClose', async () => {
    await closing;
  });
  server.addHook('onRequest', (request, reply, done) => {
    const isApi = /^\/api(\/|$)/.test(loggedPath(request.raw.url));
    if (isForApps(request)) {
      if (isApi) done();
      else sendApp(request, reply, platform);
    } else if (server.apps.sockets.has(request.socket))
      sendNotFound(request, reply, `Hosted apps are at ${server.apps.url?.origin}.`);
    else done();
  });
}

function sendApp(request: FastifyRequest, reply: FastifyReply, platform: Platform): void {
  sendPublicFile(request, reply, platform).then(
    (isSent) => {
      if (!isSent) sendNotFound(request, reply, 'There is no such page.');
    },
    (error: unknown) => sendFailure(request, reply, error),
  );
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply, text: string): void {
  setHeaders(request, reply.status(404).header('Cache-Control', 'no-store'));
  sendWhole(request, reply, 'text/plain; charset=utf-8', text);
}

/**
 * Opens the port of the second address as the settings have it, and answers a line for the terminal. A port that was chosen and
 * is taken is a StartError; the one after the main port is done without.
 */
export async function openAppsPort(server: FastifyInstance, settings: Settings): Promise<string> {
  const { appsPort, port: mainPort } = settings;
  if (/^(off|0)$/i.test(appsPort)) return '';
  const isChosen = appsPort !== '';
  const port = isChosen ? Number(appsPort) : mainPort === 0 ? 0 : mainPort + 1;
  try {
    await listenForApps(server, settings.host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = `Port ${port} ${code === 'EADDRINUSE' ? 'is taken' : 'cannot be opened'}`;
    if (isChosen) throw new StartError(`${problem}. Choose another with SLUICE_APPS_PORT.`, error);
    return `Hosted apps have no address of their own: ${problem.toLowerCase()}. Choose another with SLUICE_APPS_PORT.`;
  }
  return `Hosted apps run at ${server.apps.url?.origin}`;
}

/** Connections at the port are handed to the server, which counts, bounds and ends them like its own. */
async function listenForApps(server: FastifyInstance, host: string, port: number): Promise<void> {
  const { apps } = server;
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    apps.sockets.add(socket);
    // Input that is not HTTP is reported to the server that reads it.
    Object.assign(socket, { server: server.server });
    server.server.emit('connection', socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen({ host, port }, () => {
      listener.off('error', reject);
      resolve();
    });
  });
  apps.url ??= new URL(`http://${localName}:${(listener.address() as AddressInfo).port}`);
  apps.close = () => new Promise((resolve) => listener.close(resolve));
}
