// Calls of scripts to other servers. Nothing of the call that a script runs for goes along by itself, and its key and token do
// not where the script passes on its headers.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type Failure, fail } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { hopsHeader, nextHop } from '../call/hops.ts';
import { valueOfBytes } from '../call/reply.ts';
import type { FetchWords, OutsideRequest, SendOutside } from '../fetch/open.ts';
import { type ApiOptions, outsideVerbs } from './api-options.ts';
import type { ApiRequest, ApiResponse } from './engine.ts';
import { credentialTexts } from './secrets.ts';

/** Bytes of what is sent, and of an answer. */
const maxSent = 10 * 1024 * 1024;
const maxAnswer = 10 * 1024 * 1024;
const maxRedirects = 5;

export const outsideWords: FetchWords = {
  failed: (problem, cause): Failure => fail('script.outsideFailed', { problem }, { cause }),
  tooLarge: (limit): Failure => fail('script.outsideTooLarge', { limit }),
};

export const isOutside = (path: string): boolean => /^https?:\/\//i.test(path);

/** Headers of a connection, which are not the script's. */
const connectionHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*)$/;

export async function callOutside(
  send: SendOutside,
  call: Call,
  request: ApiRequest,
  options: ApiOptions,
): Promise<ApiResponse> {
  const { status, headers, bytes: read, discard } = await send(outsideRequest(call, request, options));
  const type = headers['content-type'] ?? null;
  const isEmpty = hasNoContent(status, options.verb ?? request.verb);
  if (isEmpty) discard();
  const bytes = isEmpty ? Buffer.alloc(0) : await read(maxAnswer);
  const text = bytes.toString();
  const isError = status >= 300;
  const value = isError ? undefined : valueOfBytes(bytes, type ?? 'text/plain');
  return {
    status_code: status,
    content: isError ? { error: { code: status, message: text, context: null, status_code: status } } : value,
    content_type: type,
    format: typeof value === 'string' ? 0 : 201,
    headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, String(header)])),
    text,
  };
}

const hasNoContent = (status: number, verb: string): boolean =>
  status === 204 || status === 304 || verb.toUpperCase() === 'HEAD';

function outsideRequest(call: Call, { verb, path, payload }: ApiRequest, options: ApiOptions): OutsideRequest {
  const { parameters, totalTimeout, connectTimeout } = options;
  const name = (options.verb ?? verb).toUpperCase();
  if (!outsideVerbs.includes(name)) throw fail('http.verbNotSupported', { verb: name, path: '', service: 'api' });
  const headers = headersOf(call, options);
  headers.set(hopsHeader, nextHop(call).header);
  const body = name === 'GET' || name === 'HEAD' ? undefined : bodyOf(options.payload ?? payload, headers);
  return {
    ...{ verb: name, address: withParameters(path, parameters), headers },
    ...(body ? { body } : {}),
    maxRedirects: Math.min(options.maxRedirects ?? maxRedirects, maxRedirects),
    ...(totalTimeout === undefined ? {} : { totalTimeout }),
    ...(connectTimeout === undefined ? {} : { connectTimeout }),
    signal: call.signal,
  };
}

function headersOf(call: Call, { headers }: ApiOptions): Map<string, string> {
  const own = credentialTexts(call);
  const sent = new Map<string, string>();
  for (const [name, value] of headers) {
    if (connectionHeaders.test(name) || own.some((secret) => value.includes(secret))) continue;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (cause) {
      throw outsideWords.failed(`the header ${JSON.stringify(name.slice(0, 80))} is not valid`, cause);
    }
    sent.set(name, value);
  }
  return sent;
}

/** A text goes out as it is; an object as a form, where its header says so, else as JSON. */
function bodyOf(payload: unknown, headers: Map<string, string>): Buffer | undefined {
  if (payload === undefined || payload === null) return undefined;
  const isText = typeof payload === 'string';
  if (!headers.has('content-type'))
    headers.set('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json');
  const isForm = headers.get('content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded');
  const text = isText ? payload : isForm ? formOf(payload) : JSON.stringify(payload);
  const body = Buffer.from(text);
  if (body.length > maxSent) throw fail('script.payloadTooLarge', { limit: maxSent });
  return body;
}

const formOf = (payload: unknown): string =>
  new URLSearchParams(
    Object.entries(payload as object).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
    ]),
  ).toString();

/** The address with further parameters; what it has stays as it is written. */
function withParameters(address: string, parameters: ReadonlyMap<string, string>): string {
  if (parameters.size === 0) return address;
  const [, place = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(address) ?? [];
  return `${place}${place.includes('?') ? '&' : '?'}${new URLSearchParams([...parameters])}${fragment}`;
}
