// The `event` of a script at an event, and what becomes of the one it leaves (contract §4, §5).
import { isUtf8 } from 'node:buffer';
import { Failure, fail, type Verb, verbs, wireError } from '@sluice/contract';
import { queryOf } from '../call/address.ts';
import { type Call, isShortBody, type Payload, type Reply } from '../call/call.ts';
import { type Exchange, replaceReply, setHeaders, withRequest } from '../call/exchange.ts';
import { parseBody } from '../call/formats/index.ts';
import { isMultipart } from '../call/formats/multipart.ts';
import { isRecord } from '../call/payload.ts';
import { isRaw, readValue } from '../call/reply.ts';
import { isSame, keepUntouched } from './untouched.ts';

/** Bytes of an answer that scripts may look at. */
const maxAnswer = 10 * 1024 * 1024;

export interface EventData {
  __tag__: 'exposed_event';
  resource: unknown;
  request: Record<string, unknown>;
  response?: Record<string, unknown>;
}

export async function requestData(call: Call): Promise<EventData> {
  const { verb, service, path, query } = call;
  const { streams } = call.match?.operation ?? {};
  // What is read as it comes stays unread.
  const isStreamed =
    streams !== undefined &&
    !(streams.readsShort && isShortBody(call)) &&
    (streams.only !== 'forms' || isMultipart(call.header('content-type') ?? ''));
  const sent = isStreamed ? undefined : await call.rawBody();
  const payload = isStreamed ? undefined : await readPayload(call, sent);
  const parameters = query.names().map((name) => [name, query.get(name) ?? ''] as const);
  const search = new URLSearchParams(Object.fromEntries(parameters)).toString();
  return {
    __tag__: 'exposed_event',
    resource: resourceOf(call),
    request: {
      api_version: '2.0',
      method: verb,
      parameters: Object.fromEntries(parameters),
      headers: Object.fromEntries(call.headerNames().map((name) => [name, call.header(name) ?? ''])),
      payload: payload ?? null,
      content: sent ? textOf(sent) : textOfPayload(payload),
      content_type: call.header('content-type') ?? null,
      uri: `/api/v2/${service}${path === '' ? '' : `/${encodeURI(path)}`}${search === '' ? '' : `?${search}`}`,
      service,
      resource: path,
    },
  };
}

/** The payload; none of a type that nobody reads, where a script has the bytes: the handler refuses it if it asks for it. */
async function readPayload(call: Call, sent: Uint8Array | undefined): Promise<Payload> {
  try {
    return await call.body();
  } catch (error) {
    if (sent && error instanceof Failure && unreadable.has(error.key)) return undefined;
    throw error;
  }
}

const unreadable = new Set(['http.unrecognizedPayload', 'http.invalidUtf8']);

/** A body as it was sent: a text in UTF-8, else base64. */
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'base64');

/** The text of a body that was made here, or is too long to be kept as it was sent. */
const textOfPayload = (payload: Payload): string =>
  payload === undefined ? '' : typeof payload === 'string' ? payload : JSON.stringify(payload);

/**
 * The path below what handles the call: a table, an id, a file; of a path of a definition what stands at its placeholders,
 * `{"{id}":"5"}`.
 */
function resourceOf({ match, path }: Call): unknown {
  if (!match?.operation.isDefined) {
    const words = match?.operation.path.split('/') ?? [];
    const first = words.findIndex((word) => word.startsWith('{'));
    return path
      .split('/')
      .slice(first < 0 ? words.length : first)
      .join('/');
  }
  const values = Object.entries(match.values);
  if (values.length > 0) return Object.fromEntries(values.map(([name, value]) => [`{${name}}`, value]));
  return match.operation.path === '' ? path : '';
}

/** The response of an exchange as scripts see it. What is too long to look at, or goes on without end, is null. */
export async function responseData({ reply, failure }: Exchange): Promise<Record<string, unknown>> {
  if (!reply) {
    const shown = shownFailure(failure);
    return {
      ...{ status_code: shown.status, content_type: null, content: { error: wireError(shown) } },
      ...{ format: 201, headers: {} },
    };
  }
  const { body } = reply;
  const isTooLong = 'open' in body && (body.isOpenEnded === true || (body.size ?? maxAnswer + 1) > maxAnswer);
  return {
    status_code: reply.status ?? 200,
    content_type: isRaw(body) ? body.type : null,
    content: isTooLong ? null : await readValue(reply, maxAnswer),
    format: isRaw(body) ? 0 : 201,
    headers: reply.headers ?? {},
  };
}

/** A failure as scripts and their authors see it: of a bug of ours, whose words may be anything, that there was one. */
export const shownFailure = (failure: unknown): Failure =>
  failure instanceof Failure ? failure : new Failure('bug', 500, 'Internal Server Error', { code: 500 });

/** Does to an exchange what a script before the operation left; answers whether the verb is another one. */
export function applyBefore(exchange: Exchange, before: EventData, result: unknown): { verb?: Verb } {
  if (!isRecord(result)) return {};
  if (isRecord(result.response) && Object.keys(result.response).length > 0) {
    replaceReply(exchange, replyOf(result.response));
    return {};
  }
  if (!isRecord(result.request)) return {};
  const { request } = before;
  const after = keepUntouched(request, result.request) as Record<string, unknown>;
  const has = (name: string) => name in after && !isSame(request[name], after[name]);
  const change: Parameters<typeof withRequest>[1] = {};
  if (has('parameters') && isRecord(after.parameters)) change.query = queryOf(new Map(textsOf(after.parameters)));
  if (has('headers') && isRecord(after.headers)) {
    const headers = new Map<string, string | undefined>(
      Object.keys(request.headers as object).map((name) => [name, undefined]),
    );
    for (const [name, value] of textsOf(after.headers)) headers.set(name.toLowerCase(), value);
    change.headers = headers;
  }
  // Of both that were changed, the payload counts.
  if (has('payload')) change.payload = after.payload === null ? undefined : after.payload;
  else if (has('content')) change.payload = contentOf(after.content, request.content_type);
  if (Object.keys(change).length > 0) exchange.call = withRequest(exchange.call, change);
  const verb = String(after.method ?? '').toUpperCase() as Verb;
  return has('method') && verbs.includes(verb) ? { verb } : {};
}

function contentOf(content: unknown, type: unknown): unknown {
  if (typeof content !== 'string') return content;
  if (content === '') return undefined;
  return parseBody(content, typeof type === 'string' ? type : '');
}

/** Does to an exchange what a script after the operation left. */
export function applyAfter(exchange: Exchange, before: Record<string, unknown>, result: unknown): void {
  const response = responseOf(result);
  if (response === undefined) return;
  const status = readStatus(response.status_code) ?? readStatus(before.status_code) ?? 200;
  const after = keepUntouched(before, response) as Record<string, unknown>;
  const isContentSame = !('content' in after) || isSame(before.content, after.content);
  const isTypeSame = !('content_type' in after) || isSame(before.content_type, after.content_type);
  const headers = replyHeaders(after.headers);
  if (isContentSame && isTypeSame) {
    if (exchange.reply) {
      exchange.reply.status = status;
      setHeaders(exchange.reply, headers);
      return;
    }
    if (status === before.status_code && Object.keys(headers).length === 0) return;
  }
  const reply = replyOf({ ...before, ...after, headers: {} });
  reply.headers = { ...reply.headers, ...exchange.reply?.headers };
  setHeaders(reply, headers);
  replaceReply(exchange, { ...reply, status });
}

/** `result.response`; else the result itself where it says content or status; else the result is the content. */
function responseOf(result: unknown): Record<string, unknown> | undefined {
  if (!isRecord(result))
    return result === undefined || result === null ? undefined : { content: result, status_code: 200 };
  if (isRecord(result.response)) return result.response;
  // The event as it was without a response: nothing is said.
  if ('request' in result && '__tag__' in result) return undefined;
  return 'content' in result || 'status_code' in result ? result : { content: result, status_code: 200 };
}

/** What a script made of values of others must not run in the name of the console, unless the script says its own policy. */
const inert = { 'Content-Security-Policy': 'sandbox' };

/** `{content, content_type, status_code, headers}`, or the value itself as the body. */
export function replyOf(response: Record<string, unknown>): Reply {
  if (!('content' in response)) return { status: 200, body: { value: response } };
  const { content, content_type: type } = response;
  const headers = replyHeaders(response.headers);
  const status = readStatus(response.status_code) ?? 200;
  const isText = typeof content === 'string' && typeof type === 'string' && /^[\x21-\x7e][\x20-\x7e]*$/.test(type);
  if (!isText) return { status, headers, body: { value: content ?? null } };
  const reply: Reply = { status, headers: { ...inert }, body: { text: content, type } };
  setHeaders(reply, headers);
  return reply;
}

const readStatus = (value: unknown): number | undefined => {
  const status = Number(value);
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : undefined;
};

/** Header and parameter values as texts; line breaks have no place in either. */
const textsOf = (values: Record<string, unknown>): [string, string][] =>
  Object.entries(values).map(([name, value]) => [
    name,
    (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[\r\n\0]+/g, ' '),
  ]);

/** Headers that say how an answer is sent: the server's. */
const framing = new Set([
  ...['connection', 'content-length', 'content-type', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
]);

/** The headers of a script's response, as far as they can be sent; signs beyond ASCII as UTF-8. */
const replyHeaders = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    (isRecord(headers) ? textsOf(headers) : [])
      .filter(([name]) => /^[!#$%&'*+.^`|~\w-]+$/.test(name) && !framing.has(name.toLowerCase()))
      .map(([name, value]) => [
        name,
        Buffer.from(value)
          .toString('latin1')
          .replace(/[^\t\x20-\x7e\x80-\xff]/g, ' '),
      ]),
  );

/** What a script threw or gave as `error`; the status has to be one of errors. */
export function scriptFailure(message: unknown, status?: unknown, code?: unknown): Failure {
  const text = typeof message === 'string' && message !== '' ? message : 'Unknown scripting error.';
  const number = Number(status);
  const isError = Number.isInteger(number) && number >= 400 && number <= 599;
  return fail(
    'script.threw',
    { text },
    {
      ...(isError ? { status: number } : {}),
      ...(typeof code === 'number' || typeof code === 'string' ? { code } : {}),
    },
  );
}
