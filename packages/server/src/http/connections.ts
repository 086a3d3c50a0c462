// The open connections and their bounds: their number, the requests that queue on one, and the time until one closes whose input is
// not HTTP (docs/operations.md, "Bounds of a connection").
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { fail, wireError } from '@sluice/contract';
import { Bag, type Placed } from '@sluice/sql';
import type { FastifyInstance } from 'fastify';

/** Files that are left for the store, databases and child processes when connections have taken theirs. */
const otherFiles = 200;
/** Requests that may wait on a connection for the answer to the one before them. */
const maxWaiting = 100;
/** Milliseconds for which a connection stays open behind the answer that closes it, so that the answer arrives. */
const lingerTime = 1_000;

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections;
  }
}

export interface Connections {
  readonly open: Iterable<Socket> & { readonly size: number };
  /** Bytes of the connections that are closed. */
  readonly closedTotals: { received: number; sent: number };
}

class OpenConnection implements Placed {
  place = 0;
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
  }
}

/** Keeps track of the connections; once for all who look at them. */
export function trackConnections(server: FastifyInstance): void {
  const connections = new Bag<OpenConnection>();
  const open = {
    get size() {
      return connections.size;
    },
    *[Symbol.iterator]() {
      for (const { socket } of connections) yield socket;
    },
  };
  const closedTotals = { received: 0, sent: 0 };
  server.server.on('connection', (socket: Socket) => {
    const connection = new OpenConnection(socket);
    connections.add(connection);
    socket.once('close', () => {
      connections.delete(connection);
      closedTotals.received += socket.bytesRead;
      closedTotals.sent += socket.bytesWritten;
    });
  });
  server.decorate('connections', { open, closedTotals });
}

/** Holds open connections below `max`, and below the files that this process may open; further ones are closed at once. */
export function limitConnections(server: FastifyInstance, max: number): void {
  server.server.maxConnections = Math.max(1, Math.min(max, maxOpenFiles() - otherFiles));
  let isWarned = false;
  const warn = () => {
    if (isWarned) return;
    isWarned = true;
    setTimeout(() => (isWarned = false), 60_000).unref();
    server.log.warn({ limit: server.server.maxConnections }, 'connections were closed: too many are open');
  };
  server.server.on('drop', warn);
  // Those at the port for apps come here too, and a port counts its own alone.
  server.server.on('connection', (socket: Socket) => {
    if (server.connections.open.size <= server.server.maxConnections) return;
    socket.destroy();
    warn();
  });
}

/** The soft limit of open files, where the system tells it. */
function maxOpenFiles(): number {
  try {
    return (
      Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.NaN) ||
      Number.POSITIVE_INFINITY
    );
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const waiting = new WeakMap<Socket, number>();

/**
 * Calls `start` when all requests before this one on its connection are answered: their answers would have to wait for each
 * other anyway, and a write must not overtake what it was sent after (RFC 9112 §9.3.2). A connection that sends too many
 * ahead is closed.
 */
export function queueRequest(answer: ServerResponse, socket: Socket, start: () => void): void {
  // An answer gets the connection when the one before it is sent.
  if (answer.socket !== null) {
    start();
    return;
  }
  const count = (waiting.get(socket) ?? 0) + 1;
  if (count > maxWaiting) {
    socket.destroy();
    return;
  }
  waiting.set(socket, count);
  answer.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    if (socket.writable) start();
  });
}

/** Answers requests on the bare socket that are not HTTP, have too large headers or are too slow, and lets go of the socket. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? fail('http.headersTooLarge')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? fail('http.requestTimeout')
        : fail('http.badRequestLine');
  const body = JSON.stringify({ error: { ...wireError(failure), request_id: randomUUID() } });
  const reason = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' }[failure.status];
  socket.end(
    `HTTP/1.1 ${failure.status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // The other side may never close its half.
  setTimeout(() => socket.destroy(), lingerTime).unref();
}
