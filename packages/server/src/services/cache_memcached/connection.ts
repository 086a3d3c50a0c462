// A connection to Memcached by its text protocol (https://github.com/memcached/memcached/blob/master/doc/protocol.txt): answers come
// in the order of the commands. It is opened when it is first needed, and again after it broke.
import { connect, type Socket } from 'node:net';
import { type Failure, fail } from '@sluice/contract';
import { cacheBounds } from '../../caches/index.ts';

export interface MemcachedServer {
  host: string;
  port: number;
}

/** The line that answers a command; of a value that is there, its bytes. */
export interface MemcachedAnswer {
  line: string;
  data?: Buffer;
}

export interface MemcachedConnection {
  /** Sends a command, which is one line, and the block that belongs to it. */
  send(command: string, block?: Buffer): Promise<MemcachedAnswer>;
  close(): void;
}

interface Waiting {
  resolve(answer: MemcachedAnswer): void;
  reject(failure: Failure): void;
  timer: NodeJS.Timeout;
}

/** Milliseconds for a connection and an answer. */
const answerTimeout = 5_000;
const maxLine = 2_000;
const lineEnd = Buffer.from('\r\n');

export function connectMemcached({ host, port }: MemcachedServer): MemcachedConnection {
  const unreachable = (problem: string) => fail('cache.unreachable', { problem });

  function open() {
    const socket: Socket = connect({ host, port, noDelay: true });
    const waiting: Waiting[] = [];
    const end = (problem: string) => {
      socket.destroy();
      for (const { reject, timer } of waiting.splice(0)) {
        clearTimeout(timer);
        reject(unreachable(problem));
      }
    };
    const reader = createReader((answer) => {
      const next = waiting.shift();
      if (!next) return end('the server sent what was not asked for');
      clearTimeout(next.timer);
      next.resolve(answer);
    });
    socket.on('data', (chunk) => {
      const problem = reader(chunk);
      if (problem) end(problem);
    });
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('the server closed the connection'));
    // An idle connection keeps no process alive.
    socket.unref();
    return { socket, waiting, end };
  }

  let connection: ReturnType<typeof open> | undefined;
  return {
    send: (command, block) =>
      new Promise((resolve, reject) => {
        if (!connection || connection.socket.destroyed) connection = open();
        const { socket, waiting, end } = connection;
        const late = () => end('the server did not answer in time');
        waiting.push({ resolve, reject, timer: setTimeout(late, answerTimeout) });
        socket.write(Buffer.concat([Buffer.from(command), lineEnd, ...(block ? [block, lineEnd] : [])]));
      }),
    close() {
      connection?.end('the service was closed');
    },
  };
}

/** Takes answers out of what comes; says what is wrong with it. */
function createReader(answer: (answer: MemcachedAnswer) => void): (chunk: Buffer) => string | undefined {
  let rest: Buffer = Buffer.alloc(0);
  /** Bytes of the value that comes next. */
  let expected: number | undefined;
  let value: Buffer | undefined;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (expected !== undefined) {
        if (rest.length < expected + lineEnd.length) return undefined;
        value = Buffer.from(rest.subarray(0, expected));
        rest = rest.subarray(expected + lineEnd.length);
        expected = undefined;
      }
      const end = rest.indexOf(lineEnd);
      if (end < 0) return rest.length > maxLine ? 'the server sent a line that is too long' : undefined;
      const line = rest.subarray(0, end).toString('latin1');
      rest = rest.subarray(end + lineEnd.length);
      const size = /^VALUE \S+ \d+ (\d+)/.exec(line)?.[1];
      if (size !== undefined) {
        expected = Number(size);
        if (expected > cacheBounds.value) return `the server sent a value of more than ${cacheBounds.value} bytes`;
        continue;
      }
      answer({ line, ...(value ? { data: value } : {}) });
      value = undefined;
    }
  };
}
