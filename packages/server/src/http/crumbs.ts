// Bodies that come in crumbs: a caller may send chunks of a byte each, and Node makes a buffer of each, that takes a kilobyte
// until it is read. Here they are joined as they come, whether somebody reads them yet or not.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type Failure, fail } from '@sluice/contract';
import { pause } from '@sluice/sql';

/** Bytes of a chunk that is kept as it came; smaller ones are copied together. Bodies of no more have few. */
const largeChunk = 4096;

/** Bytes of a chunk that is a crumb: it costs as much to receive as one of 64 KB. */
const crumb = 16;

/** Crumbs a body may come in: enough for those who write a long text token by token. */
const maxCrumbs = (limit: number) => Math.max(1000, Math.floor(limit / 100));

const joining = new WeakMap<IncomingMessage, Joined>();

/** Crumbs of a body that are received as they come; whoever sends more is read in turn. */
const promptCrumbs = 250;

/**
 * Crumbs of all connections in one round of the event loop, after which no other connection is read in it. One reading brings up
 * to 10,000, and nothing ends it before.
 */
const maxCrumbsARound = 2000;
let crumbsThisRound = 0;

/**
 * Joins what comes of a request's body. To be called as soon as its headers are there, before any of the body is. `open` are
 * the connections that are read in the same rounds.
 */
export function joinCrumbs(request: IncomingMessage, open: Iterable<Socket>): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > largeChunk)) return;
  const joined = new Joined(request, open);
  joining.set(request, joined);
  request.push = (chunk: Buffer | null) => (chunk === null ? joined.end() : joined.add(chunk));
}

/** The failure, if a body of at most `limit` bytes has come in too many crumbs. */
export function refuseCrumbs(request: IncomingMessage, limit: number): Failure | undefined {
  const max = maxCrumbs(limit);
  if (!joining.get(request)?.isMoreThan(max)) return undefined;
  return fail('http.chunksTooSmall', { max, bytes: crumb });
}

/** The chunks of a body, on their way to those who read it. */
class Joined {
  private readonly request: IncomingMessage;
  private readonly push: IncomingMessage['push'];
  private readonly open: Iterable<Socket>;
  /** What small chunks are copied into, and how much of it is taken. */
  private gathered = Buffer.alloc(0);
  private taken = 0;
  private isPassingOn = false;
  private chunks = 0;
  private bytes = 0;

  constructor(request: IncomingMessage, open: Iterable<Socket>) {
    this.request = request;
    this.open = open;
    this.push = request.push.bind(request);
  }

  /** Whether it has come in more than `max` chunks that are crumbs, by and large. */
  isMoreThan(max: number): boolean {
    return this.chunks > max && this.bytes < this.chunks * crumb;
  }

  /** Whether more may come, as `Readable.push` says it. */
  add(chunk: Buffer): boolean {
    this.chunks += 1;
    this.bytes += chunk.length;
    if (chunk.length < crumb) this.countCrumb();
    if (chunk.length >= largeChunk) {
      this.passOn();
      return this.push(chunk);
    }
    if (this.taken + chunk.length > this.gathered.length) {
      this.passOn();
      this.gathered = Buffer.allocUnsafe(4 * largeChunk);
    }
    this.taken += chunk.copy(this.gathered, this.taken);
    void this.passOnSoon();
    if (this.isMoreThan(promptCrumbs)) return false;
    return this.request.readableLength + this.taken < this.request.readableHighWaterMark;
  }

  end(): boolean {
    this.passOn();
    return this.push(null);
  }

  /** When all that has arrived is taken apart; the next tick comes after each chunk. */
  private async passOnSoon(): Promise<void> {
    if (this.isPassingOn) return;
    this.isPassingOn = true;
    await setImmediate();
    // Then the connection is read on: a reading of 64 KB in crumbs takes some 20 ms.
    if (this.isMoreThan(promptCrumbs)) await pause();
    this.isPassingOn = false;
    this.passOn();
  }

  private countCrumb(): void {
    crumbsThisRound += 1;
    if (crumbsThisRound === 1) void setImmediate().then(() => (crumbsThisRound = 0));
    if (crumbsThisRound !== maxCrumbsARound) return;
    // This one pauses itself, until its turn.
    const others = [...this.open].filter((socket) => socket !== this.request.socket && !socket.isPaused());
    for (const socket of others) socket.pause();
    void setImmediate().then(() => {
      for (const socket of others) socket.resume();
    });
  }

  private passOn(): void {
    if (this.taken > 0 && !this.request.destroyed) this.push(this.gathered.subarray(0, this.taken));
    this.gathered = this.gathered.subarray(this.taken);
    this.taken = 0;
  }
}
