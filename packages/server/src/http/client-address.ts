// The addresses that proxies write, as addresses: callers are counted by them (call/caller-key.ts), and a port or a word in
// their place would make each connection a caller of its own.
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Where proxies are trusted: makes `X-Forwarded-For` of each request a list of bare addresses before Fastify reads it. */
export function readForwardedAddresses(server: FastifyInstance): void {
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const forwarded = headers['x-forwarded-for'];
    if (forwarded !== undefined) headers['x-forwarded-for'] = bareAddresses(String(forwarded));
    done();
  });
}

/**
 * The list without ports, brackets and zones. What is no address ends it from the left: the caller is then the proxy that
 * wrote it, the next one in the list or the other side of the connection.
 */
export function bareAddresses(list: string): string {
  const addresses: string[] = [];
  for (const text of list.split(',').reverse()) {
    const address = bareAddress(text.trim());
    if (address === undefined) break;
    addresses.unshift(address);
  }
  return addresses.join(', ');
}

function bareAddress(text: string): string | undefined {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d*)?$/.exec(text) ?? [];
  // Of IPv6, a port can be told from the last group only in brackets, or behind four numbers with dots.
  const address = (inBrackets ?? text.replace(/^(.*\.\d+):\d*$/, '$1'))
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(address) === 0 ? undefined : address;
}
