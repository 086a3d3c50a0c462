// Answers that are not read, or too slowly. One sweep looks at all connections: no call has a timer of its own.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ByteBudget } from '../call/byte-budget.ts';

declare module 'fastify' {
  interface FastifyInstance {
    slowReaders: SlowReaders;
  }
}

export interface SlowReaders {
  /** Looks at all connections; `now` in milliseconds of a clock that only goes forward. */
  sweep(now: number): void;
  /** How many answers were broken off because they were read too slowly, and because others needed their room. */
  readonly brokenOff: { readonly slow: number; readonly forRoom: number };
}

/** Milliseconds between two sweeps. */
const sweepInterval = 5_000;
/** Milliseconds over which the speed of a reader is averaged, and the bytes that have to be read in them: 1 KB a second. */
const averageTime = 60_000;
const minBytes = 60 * 1024;

/** Bytes that a connection had taken at a time since which it has always had more to take. */
interface Reading {
  since: number;
  taken: number;
}

/** Breaks off answers that are read slower than 1 KB a second, and measures what is transferred of bodies and answers. */
export function breakOffSlowReaders(server: FastifyInstance, answers: ByteBudget): void {
  const readings = new WeakMap<Socket, Reading>();
  let slow = 0;

  const sweep = (now: number): void => {
    for (const socket of server.connections.open) {
      const taken = socket.bytesWritten - socket.writableLength;
      const reading = readings.get(socket);
      if (socket.writableLength === 0) readings.delete(socket);
      else if (!reading) readings.set(socket, { since: now, taken });
      else if (now - reading.since >= averageTime) {
        if (taken - reading.taken < minBytes) {
          slow += 1;
          socket.destroy();
        } else readings.set(socket, { since: now, taken });
      }
    }
    answers.measure(now);
    server.bodies.measure(now);
  };

  const timer = setInterval(() => sweep(performance.now()), sweepInterval).unref();
  server.addHook('onClose', async () => clearInterval(timer));
  server.decorate('slowReaders', {
    sweep,
    brokenOff: {
      get slow() {
        return slow;
      },
      get forRoom() {
        return answers.brokenOff;
      },
    },
  });
}
