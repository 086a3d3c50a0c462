// The second address: hosted apps run there, with their scripts and in an origin of their own (docs/adr/0023). Browsers tell
// cookies apart by the name of a host, not by its port, and the console keeps its session in one. So the name decides what a
// request is for, and a request that comes to the second port by another name gets nothing.
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { pathAndQuery } from '../call/address.ts';

declare module 'fastify' {
  interface FastifyInstance {
    apps: Apps;
  }
}

export interface Apps {
  /** Where browsers find the second address, such as `https://apps.example.net`; undefined when there is none. */
  url: URL | undefined;
  /** The connections at its port. */
  sockets: WeakSet<Socket>;
  /** Stops listening at its port; resolves when its connections are closed. */
  close(): Promise<unknown>;
}

/** A name that browsers take for this machine, and that no page of the console has. */
export const localName = 'apps.localhost';
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether a request came by the name of the second address. */
export const isForApps = ({ hostname, server }: FastifyRequest): boolean =>
  server.apps.url !== undefined && hostname.toLowerCase() === server.apps.url.hostname;

/**
 * Where a navigation to a public page goes on; undefined where it does not. Without SLUICE_APPS_URL the second address has a name
 * for browsers on this machine only.
 */
export function appAddressOf(request: FastifyRequest): string | undefined {
  const { headers, hostname, raw, server } = request;
  const { url } = server.apps;
  if (url === undefined || isForApps(request) || headers['sec-fetch-mode'] !== 'navigate') return undefined;
  if (url.hostname === localName && !loopbackNames.has(hostname.toLowerCase())) return undefined;
  return url.origin + pathAndQuery(raw.url);
}
