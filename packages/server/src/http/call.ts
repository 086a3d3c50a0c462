// A request as a call of the gateway. What a call may never ask for is made when it does.
import { Readable } from 'node:stream';
import type { MaybePromise, Verb } from '@sluice/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Decision, noAccess } from '../access/decide.ts';
import type { Address } from '../call/address.ts';
import { type Call, type Caller, type Credentials, nobody, type Payload, type Query } from '../call/call.ts';
import { isForSpreadsheet, parseBody, parseStrangersBody, strangerLimits } from '../call/formats/index.ts';
import { isMultipart, parseMultipart } from '../call/formats/multipart.ts';
import type { Settings } from '../settings/index.ts';
import { readBytes, streamBytes, textOf } from './body.ts';

/**
 * Bytes of a body that are read before anyone is identified, to look for credentials, and the most that is read for
 * callers without user and role: they can do no more than sign in, and parsing takes time that others wait.
 */
export const smallBodyLimit = 64 * 1024;

/** Fields of a multipart body. */
const mostParts = 1000;

/** A class and not a literal: its many members are shared by all calls. */
export class HttpCall implements Call {
  readonly id: string;
  readonly verb: Verb;
  readonly service: string;
  readonly path: string;
  readonly query: Query;
  credentials: Credentials;
  caller: Caller = nobody;
  decision: Decision = noAccess;
  private readonly request: FastifyRequest;
  private readonly reply: FastifyReply;
  private readonly settings: Settings;
  private reading: Promise<Payload> | 'streamed' | undefined;
  /** The bytes of a body that was read before anybody asked for it. */
  private early: Promise<Buffer> | undefined;
  private aborted: AbortSignal | undefined;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    settings: Settings,
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
  }

  header(name: string): string | undefined {
    return headerOf(this.request, name);
  }

  /** Aborted when the connection closes before the answer was sent. */
  get signal(): AbortSignal {
    this.aborted ??= abortSignal(this.reply);
    return this.aborted;
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
    if (!this.hasBody) return undefined;
    if (this.reading === 'streamed') throw new Error('the body of this call was asked for as a stream');
    this.reading ??= this.parse(readBytes(this.request.raw, this.bodyLimit));
    return this.reading;
  }

  /** The body as `body()` gives it, of a call that is not identified yet; it can still be asked for as a stream. */
  earlyBody(): MaybePromise<Payload> {
    if (!this.hasBody) return undefined;
    this.early = readBytes(this.request.raw, smallBodyLimit);
    this.reading = this.parse(this.early);
    return this.reading;
  }

  stream(): Readable {
    if (!this.hasBody) return Readable.from([]);
    const { early } = this;
    if (early && this.reading !== 'streamed') {
      this.reading = 'streamed';
      return Readable.from(onlyChunk(early));
    }
    if (this.reading !== undefined) throw new Error('the body of this call was asked for before');
    this.reading = 'streamed';
    return streamBytes(this.request.raw, this.bodyLimit);
  }

  private get hasBody(): boolean {
    const { headers } = this.request;
    return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  }

  private get bodyLimit(): number {
    const { bodyLimit } = this.settings;
    return this.isKnown ? bodyLimit : Math.min(smallBodyLimit, bodyLimit);
  }

  private get isKnown(): boolean {
    return this.caller.user !== undefined || this.caller.role !== undefined;
  }

  /** Little is read for someone who is not known: parsing takes time that others wait. */
  private async parse(reading: Promise<Buffer>): Promise<Payload> {
    const bytes = await reading;
    if (bytes.length === 0) return undefined;
    const type = this.request.headers['content-type'] ?? '';
    if (isMultipart(type)) return parseMultipart(bytes, type, this.isKnown ? mostParts : strangerLimits.names);
    return this.isKnown
      ? parseBody(textOf(bytes), type, isForSpreadsheet(this))
      : parseStrangersBody(textOf(bytes), type);
  }
}

async function* onlyChunk(bytes: Promise<Buffer>): AsyncGenerator<Buffer> {
  yield await bytes;
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
