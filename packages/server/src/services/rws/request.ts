// What the remote service gets besides its address: the headers that are configured, and the body of the call.
import { validateHeaderValue } from 'node:http';
import { Readable } from 'node:stream';
import { fail, toExactJson } from '@sluice/contract';
import { type Call, isShortBody } from '../../call/call.ts';
import { isRecord, stringifyInput } from '../../call/payload.ts';
import { chunksOf } from '../../call/reply.ts';
import { type HeaderRule, isAbout } from './config.ts';

/** Headers of a connection, which nobody configures. */
const connectionHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|cdn-loop|proxy-.*)$/;

export const isOfConnection = (name: string): boolean => connectionHeaders.test(name);

/** The cookie of the console has a session in it. */
const ownCookie = /(^|;)\s*CurrentUserObj=[^;]*/g;

/** The headers of the rules, by lower-case name; `fill` puts lookups in. Throws `remote.badHeader`. */
export function headersOf(
  call: Pick<Call, 'verb' | 'header'>,
  rules: readonly HeaderRule[],
  fill: (text: string) => string,
): Map<string, string> {
  const headers = new Map<string, string>();
  for (const rule of rules) {
    const name = rule.name?.trim().toLowerCase() ?? '';
    if (!isAbout(rule, call.verb) || isOfConnection(name)) continue;
    const value = rule.pass_from_client ? passedOn(name, call) : utf8(fill(rule.value ?? ''));
    if (value === undefined) continue;
    try {
      validateHeaderValue(name, value);
    } catch {
      // The value may be a secret: it is in no message and in no log.
      throw fail('remote.badHeader', { name });
    }
    headers.set(name, value);
  }
  return headers;
}

function passedOn(name: string, call: Pick<Call, 'header'>): string | undefined {
  const value = call.header(name);
  if (name !== 'cookie' || value === undefined) return value;
  return value.replace(ownCookie, '').replace(/^[;\s]+/, '') || undefined;
}

/** Headers are bytes; signs beyond ASCII go out as UTF-8. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

export interface SentBody {
  body?: Uint8Array | Readable;
  /** What it is, unless a rule says so. */
  type?: string | undefined;
  /** Bytes, of a stream that says so. */
  length?: string | undefined;
}

/** The body of a call as it was sent, or what a script made of it. That of a GET is for this server alone. */
export async function bodyOf(call: Call): Promise<SentBody> {
  if (call.verb === 'GET') return {};
  const type = call.header('content-type');
  if (!isShortBody(call)) return { ...streamOf(call), type };
  const sent = await call.rawBody();
  if (sent === undefined) return encode(await call.body(), type);
  if (sent.length === 0) return {};
  const cleaned = holdsCredentials(sent, call) ? withoutCredentials(await call.body(), call) : undefined;
  return cleaned ? encode(cleaned, type) : { body: sent, type };
}

/** A body as it comes; one of another length than its head says would be the next request on the connection. */
function streamOf(call: Call): SentBody {
  const length = call.header('content-length');
  if (length === undefined || !/^\d+$/.test(length)) return { body: call.stream() };
  return { body: Readable.from(chunksOf(call.stream(), Number(length))), length };
}

/** Whether a body may have what the caller identified with: read before anything else, it is short. */
function holdsCredentials(sent: Uint8Array, { credentials: { apiKey, token } }: Call): boolean {
  const text = Buffer.from(sent.buffer, sent.byteOffset, Math.min(sent.length, maxCredentialBody));
  return [apiKey, token].some((secret) => secret !== undefined && text.includes(secret));
}

/** Bytes of bodies that are looked into for credentials (http/call.ts). */
const maxCredentialBody = 64 * 1024;

/** The payload without the key and the token of the caller; undefined where it has neither. */
function withoutCredentials(payload: unknown, { credentials: { apiKey, token } }: Call): object | undefined {
  if (!isRecord(payload)) return undefined;
  const isOwn = ([name, value]: [string, unknown]) =>
    (name === 'api_key' && value === apiKey) || (name === 'session_token' && value === token);
  const entries = Object.entries(payload);
  return entries.some(isOwn) ? Object.fromEntries(entries.filter((entry) => !isOwn(entry))) : undefined;
}

/** What is no text goes out as a form where it came as one, else as JSON. */
function encode(payload: unknown, type: string | undefined): SentBody {
  if (payload === undefined) return {};
  if (payload instanceof Uint8Array) return { body: payload, type };
  if (typeof payload === 'string') return { body: Buffer.from(payload), type: type ?? 'text/plain; charset=utf-8' };
  if (isRecord(payload) && /^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type ?? '')) {
    const fields = Object.entries(payload).map(([name, value]): [string, string] => [name, stringifyInput(value)]);
    return {
      body: Buffer.from(new URLSearchParams(fields).toString()),
      type: 'application/x-www-form-urlencoded',
    };
  }
  const isJson = /json/i.test(type ?? '');
  return { body: Buffer.from(toExactJson(payload)), type: isJson ? type : 'application/json' };
}
