// A request as a call of the gateway. Parts that few calls need are made on demand.
import { Readable } from 'node:stream';
import { fail, type MaybePromise, type Verb } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Decision, noAccess } from '../access/decide.ts';
import type { Address } from '../call/address.ts';
import { type ByteBudget, type Reservation, smallBody } from '../call/byte-budget.ts';
import {
  anonymousCaller,
  type Call,
  type Caller,
  type Credentials,
  maxRawBody,
  type Payload,
  type Query,
} from '../call/call.ts';
import { callerKey } from '../call/caller-key.ts';
import { anonymousLimits, isForSpreadsheet, parseStrangersBody } from '../call/formats/index.ts';
import { isMultipart, parseMultipart } from '../call/formats/multipart.ts';
import { TypedMap } from '../call/typed-map.ts';
import type { Platform } from '../gateway/platform.ts';
import type { Match } from '../service/operation.ts';
import type { Settings } from '../settings/index.ts';
import { decodeUtf8, hasBody, readBytes, streamBytes } from './body.ts';

/**
 * Bytes of a body that are read before the caller is identified, to look for credentials, and the maximum for callers
 * without user and role: they can only sign in, and parsing delays other calls.
 */
export const smallBodyLimit = 64 * 1024;

/** A class, not a literal: all calls share its many members. */
export class HttpCall implements Call {
  readonly id: string;
  readonly verb: Verb;
  readonly service: string;
  readonly path: string;
  readonly query: Query;
  credentials: Credentials;
  caller: Caller = anonymousCaller;
  decision: Decision = noAccess;
  serviceId: number | undefined = undefined;
  match: Match | undefined = undefined;
  readonly depth = 0;
  private readonly request: FastifyRequest;
  private readonly reply: FastifyReply;
  private readonly settings: Settings;
  private readonly answers: ByteBudget;
  private payload: Promise<Payload> | 'streamed' | undefined;
  /** The bytes of a body that was read to look for credentials. */
  private earlyBytes: Promise<Buffer> | undefined;
  /** A copy of those of a short body, for `rawBody`. */
  private sentBytes: Promise<Buffer | undefined> | undefined;
  private abortedSignal: AbortSignal | undefined;
  private answerBytes: Reservation | undefined;
  private stateValues: TypedMap | undefined;
  /** Undefined until a step writes one. */
  writtenHeaders: Map<string, string> | undefined;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    { settings, answers }: Pick<Platform, 'settings' | 'answers'>,
    { service, path, query }: Address,
    verb: Verb,
    credentials: Credentials,
  ) {
    this.id = request.id;
    this.verb = verb;
    this.service = service;
    this.path = path;
    this.query = query;
    this.credentials = credentials;
    this.request = request;
    this.reply = reply;
    this.settings = settings;
    this.answers = answers;
  }

  header(name: string): string | undefined {
    return headerOf(this.request, name);
  }

  headerNames(): string[] {
    return Object.keys(this.request.headers);
  }

  /** Aborted when the connection closes before the answer was sent. */
  get signal(): AbortSignal {
    this.abortedSignal ??= abortSignal(this.reply);
    return this.abortedSignal;
  }

  /** Made for an answer that is not short; until the connection closes, or the answer is sent. */
  get memory(): Reservation {
    this.answerBytes ??= this.reserveAnswer();
    return this.answerBytes;
  }

  private reserveAnswer(): Reservation {
    const { raw } = this.reply;
    const { socket } = this.request;
    const reservation = this.answers.open(this.callerKey);
    reservation.peer = { isAwaited: () => socket.writableLength > 0, breakOff: () => socket.destroy() };
    if (raw.closed) reservation.end();
    else raw.once('close', () => reservation.end());
    return reservation;
  }

  get state(): TypedMap {
    this.stateValues ??= new TypedMap();
    return this.stateValues;
  }

  get replyHeaders(): Map<string, string> {
    this.writtenHeaders ??= new Map();
    return this.writtenHeaders;
  }

  get baseUrl(): string {
    return this.settings.publicUrl || `${this.request.protocol}://${this.request.host}`;
  }

  get ip(): string {
    return this.request.ip;
  }

  get userAgent(): string | null {
    return this.header('user-agent') ?? null;
  }

  /** Reads and parses the body once; later calls get the same value or the same failure. */
  body(): MaybePromise<Payload> {
    if (!hasBody(this.request.raw)) return undefined;
    if (this.payload === 'streamed') throw new Error('the body of this call was asked for as a stream');
    this.payload ??= this.receive(this.limitFor(this.settings.bodyLimit));
    return this.payload;
  }

  rawBody(): MaybePromise<Buffer | undefined> {
    if (this.payload === undefined && hasBody(this.request.raw)) {
      this.payload = this.receive(this.limitFor(this.settings.bodyLimit), (reading) => {
        // What is parsed in a thread is gone from here.
        this.sentBytes = reading.then((bytes) => (bytes.length <= maxRawBody ? Buffer.from(bytes) : undefined));
        this.sentBytes.catch(() => {});
      });
      // Its failure is for those who ask for `body`.
      this.payload.catch(() => {});
    }
    return this.sentBytes ?? this.earlyBytes;
  }

  /** The body as `body()` returns it, before the caller is identified; it can still be read as a stream afterwards. */
  earlyBody(): MaybePromise<Payload> {
    if (!hasBody(this.request.raw)) return undefined;
    this.payload = this.receive(smallBodyLimit, (bytes) => (this.earlyBytes = bytes));
    return this.payload;
  }

  stream(): Readable {
    const streams = this.match?.operation.streams;
    if (!streams) throw new Error('the operation of this call does not say that it streams its body');
    if (!hasBody(this.request.raw)) return Readable.from([]);
    if (this.sentBytes) return Readable.from(singleChunk(this.sentBytes, this.limitFor(streams.limit)));
    const { earlyBytes: early } = this;
    if (early && this.payload !== 'streamed') {
      this.payload = 'streamed';
      return Readable.from(singleChunk(early, this.limitFor(streams.limit)));
    }
    if (this.payload !== undefined) throw new Error('the body of this call was asked for before');
    this.payload = 'streamed';
    return streamBytes(this.request.raw, this.limitFor(streams.limit));
  }

  /** A limit of bytes, as far as it goes for this caller. */
  private limitFor(limit: number): number {
    return this.isIdentified ? limit : Math.min(smallBodyLimit, limit);
  }

  private get isIdentified(): boolean {
    return this.caller.user !== undefined || this.caller.role !== undefined;
  }

  private get mayBeLarge(): boolean {
    const length = this.request.headers['content-length'];
    return length === undefined || Number(length) > smallBody;
  }

  /** The caller in queues, and in the shared memory for bodies. */
  get callerKey(): string {
    return callerKey(this);
  }

  private receive(limit: number, keep?: (bytes: Promise<Buffer>) => void): Promise<Payload> {
    const reservation = this.mayBeLarge ? this.request.server.bodies.open(this.callerKey) : undefined;
    const bytes = readBytes(this.request.raw, limit, reservation);
    keep?.(bytes);
    const parsing = this.parse(bytes);
    return reservation ? parsing.finally(() => reservation.end()) : parsing;
  }

  /** Parses less for callers that are not identified: parsing delays other calls. */
  private async parse(reading: Promise<Buffer>): Promise<Payload> {
    const bytes = await reading;
    if (bytes.length === 0) return undefined;
    const type = this.request.headers['content-type'] ?? '';
    if (this.isIdentified) return this.request.server.bodyParser.parse(bytes, type, isForSpreadsheet(this), this);
    if (!isMultipart(type)) return parseStrangersBody(decodeUtf8(bytes), type);
    // Parts take their reader long, each for itself: strangers who send many at once have one in a round.
    await pause();
    return parseMultipart(bytes, type, anonymousLimits.names);
  }
}

async function* singleChunk(bytes: Promise<Buffer | undefined>, limit: number): AsyncGenerator<Buffer> {
  const chunk = await bytes;
  if (!chunk) throw new Error('the body of this call was asked for before');
  if (chunk.length > limit) throw fail('http.bodyTooLarge', { limit });
  yield chunk;
}

/** A header of a request by its lower-case name; of a repeated one the first. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function abortSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  if (raw.destroyed) controller.abort();
  return controller.signal;
}
