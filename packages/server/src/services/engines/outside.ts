// The connections of a service elsewhere, kept for further calls of it, and what went wrong with them in words of the catalogue.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Failure, fail } from '@sluice/contract';
import { createSendOutside, type FetchWords, type SendOutside } from '../../fetch/open.ts';
import type { PrivateTargets } from '../../settings/index.ts';

/** Milliseconds without a byte from the service; a call takes no longer than its options say. */
const idleTimeout = 60_000;
/** Milliseconds that a connection is kept for a further call. */
const keepAlive = 15_000;

const words: FetchWords = {
  failed: (problem, cause) => fail('remote.unreachable', { problem }, { cause }),
  timedOut: (problem, cause) => fail('remote.timeout', { problem }, { cause }),
  tooLarge: (limit) => fail('remote.tooLarge', { limit }),
};

/** Sends to the host of a base, whatever network it is in: an administrator chose it. Where it redirects to is none of their choice. */
export function createOutside(privateTargets: PrivateTargets) {
  const settings = { keepAlive: true, timeout: keepAlive, maxFreeSockets: 16 };
  const agents = { http: new HttpAgent(settings), https: new HttpsAgent(settings) };
  let sender: { host: string; send: SendOutside } | undefined;
  return {
    to({ hostname }: URL): SendOutside {
      const host = hostname.replace(/^\[|\]$/g, '');
      if (sender?.host !== host) {
        const targets = privateTargets === true ? true : [host, ...privateTargets];
        sender = { host, send: createSendOutside({ privateTargets: targets, agents, idleTimeout }, words) };
      }
      return sender.send;
    },
    /** Closes the connections that nothing uses; the others close when nothing has used them for a while. */
    close(): void {
      for (const { freeSockets } of [agents.http, agents.https])
        for (const sockets of Object.values(freeSockets)) for (const socket of sockets ?? []) socket.destroy();
    },
  };
}

/** What a remote service led to is no address that its caller named. */
export function refusedAddress(error: unknown): unknown {
  if (!(error instanceof Failure) || !error.key.startsWith('fetch.')) return error;
  return words.failed('it leads to an address that this server does not call', error);
}
