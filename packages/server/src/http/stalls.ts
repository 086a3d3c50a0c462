// Answers that nobody reads, or too slowly. One sweep looks at all connections: no call has a timer of its own.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { AnswerMemory } from '../call/answer-memory.ts';

declare module 'fastify' {
  interface FastifyInstance {
    stalls: Stalls;
  }
}

export interface Stalls {
  /** Looks at all connections; `now` in milliseconds of a clock that only goes forward. */
  sweep(now: number): void;
  /** How many answers were broken off because they were read too slowly, and because others needed their room. */
  readonly brokenOff: { slow: number; forRoom: number };
}

/** Milliseconds between two sweeps. */
const sweepInterval = 5_000;
/** Milliseconds over which the speed of a reader is averaged, and the bytes that have to be read in them: 1 KB a second. */
const averageTime = 60_000;
const minBytes = 60 * 1024;
/** Bytes a second below which an answer is broken off when others need its room, and the share of the limit that is freed. */
const slowRate = 64 * 1024;
const roomShare = 1 / 2;

/** Bytes that a connection had taken at a time since which it has always had more to take. */
interface Reading {
  since: number;
  taken: number;
  /** The same at the sweep before. */
  last: { at: number; taken: number };
}

/** Breaks off answers that are read slower than 1 KB a second; where callers were refused for want of room, the slowest first. */
export function breakOffStalls(server: FastifyInstance, memory: AnswerMemory): void {
  const readings = new WeakMap<Socket, Reading>();
  const brokenOff = { slow: 0, forRoom: 0 };
  let refusals = 0;

  const sweep = (now: number): void => {
    const readers: { socket: Socket; rate: number }[] = [];
    for (const socket of server.connections.open) {
      const reading = readings.get(socket);
      if (socket.writableLength === 0) {
        if (reading) readings.delete(socket);
        continue;
      }
      const taken = socket.bytesWritten - socket.writableLength;
      if (!reading) {
        readings.set(socket, { since: now, taken, last: { at: now, taken } });
        continue;
      }
      const isOver = now - reading.since >= averageTime;
      if (isOver && taken - reading.taken < minBytes) {
        brokenOff.slow += 1;
        socket.destroy();
      } else {
        readers.push({ socket, rate: ((taken - reading.last.taken) * 1000) / (now - reading.last.at) });
        if (isOver) Object.assign(reading, { since: now, taken });
        reading.last = { at: now, taken };
      }
    }
    if (memory.refusals > refusals) brokenOff.forRoom += makeRoom(readers, memory);
    refusals = memory.refusals;
  };

  const timer = setInterval(() => sweep(performance.now()), sweepInterval).unref();
  server.addHook('onClose', async () => clearInterval(timer));
  server.decorate('stalls', { sweep, brokenOff });
}

/** Breaks off the slowest answers until others have room; answers how many. */
function makeRoom(readers: { socket: Socket; rate: number }[], memory: AnswerMemory): number {
  let count = 0;
  let bytes = memory.bytes;
  for (const { socket, rate } of readers.sort((a, b) => a.rate - b.rate)) {
    if (bytes <= memory.limit * roomShare || rate >= slowRate) break;
    const held = memory.bytesOn(socket);
    if (held === 0) continue;
    bytes -= held;
    count += 1;
    socket.destroy();
  }
  return count;
}
