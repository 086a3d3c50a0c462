import { loadServerWords, text } from '../text/index.ts';
import { createStore } from '../ui/store.ts';
import { ApiError, errorFromResponse } from './errors.ts';
import { rememberEtag } from './etag.ts';
import { takeFirstAnswer } from './first-answer.ts';

/** Where the instance is and which app's key goes with every call. */
export interface Connection {
  /** Address without `/api/v2`; empty means the console's own origin. */
  base: string;
  apiKey: string;
}

export const connection = createStore<Connection>({ base: '', apiKey: '' });

/** Whether the server answered the last call. */
export const reachable = createStore(true);

export type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;

export interface CallOptions {
  /** Absent, null and undefined entries are left out; lists are joined by commas. */
  query?: Record<string, QueryValue>;
  /** Sent as JSON, except text, files and forms, which go as they are (give their content type in `headers`). */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Sends the cookies of the instance along, where it is the console's own: it knows the browser that began a sign-in by one. */
  withCookies?: boolean;
  /** How the answer is read; JSON by default. */
  as?: 'json' | 'text' | 'blob';
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The whole address of a path below `/api/v2`, for links that leave the page (downloads, sign-in providers). */
export const apiUrl = (path: string, query: Record<string, QueryValue> = {}): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    params.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const search = params.toString();
  const bare = path.replace(/^\/+/, '');
  return `${connection.get().base}/api/v2/${bare}${search && (bare.includes('?') ? '&' : '?')}${search}`;
};

/** The address of the API as one would type it in a terminal. */
export const apiAddress = (): string => `${connection.get().base || location.origin}/api/v2`;

/** Where agents find the tools of the instance (Model Context Protocol). */
export const agentAddress = (): string => `${connection.get().base || location.origin}/mcp`;

/** Where tables are reached by GraphQL. */
export const graphqlAddress = (): string => `${connection.get().base || location.origin}/graphql`;

const isRaw = (body: unknown): body is string | Blob | FormData | ArrayBuffer =>
  typeof body === 'string' || body instanceof Blob || body instanceof FormData || body instanceof ArrayBuffer;

const readBody = async (response: Response, as: CallOptions['as']): Promise<unknown> => {
  if (as === 'blob') return response.blob();
  const bodyText = await response.text();
  if (as === 'text' || bodyText === '') return bodyText === '' && as !== 'text' ? null : bodyText;
  try {
    return JSON.parse(bodyText);
  } catch {
    return bodyText;
  }
};

/** What every call says of its caller. */
export const callerHeaders = (token: string | null): Headers => {
  const headers = new Headers({ Accept: 'application/json' });
  if (connection.get().apiKey) headers.set('X-DreamFactory-API-Key', connection.get().apiKey);
  if (token) headers.set('X-DreamFactory-Session-Token', token);
  return headers;
};

/** One request, as it is: no renewal, no second try. Throws `ApiError`, or the abort of the caller's signal. */
export const send = async (
  method: Method,
  path: string,
  options: CallOptions,
  token: string | null,
): Promise<unknown> => {
  const headers = callerHeaders(token);
  // also DELETE says JSON. A form writes its own boundary.
  if (method !== 'GET' && !(options.body instanceof FormData)) headers.set('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);

  let response: Response;
  let body: unknown;
  try {
    const url = apiUrl(path, options.query);
    response = await (takeFirstAnswer(method, url, token) ??
      fetch(url, {
        method,
        headers,
        body: options.body === undefined ? null : isRaw(options.body) ? options.body : JSON.stringify(options.body),
        signal: options.signal ?? null,
        credentials: options.withCookies ? 'same-origin' : 'omit',
      }));
    body = await readBody(response, response.ok ? options.as : 'json');
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    if (reachable.get()) reachable.set(false);
    throw new ApiError({ status: 0, code: 0, message: text('common:unreachable'), cause });
  }
  if (!reachable.get()) reachable.set(true);
  if (!response.ok) await loadServerWords();
  if (!response.ok) throw errorFromResponse(response.status, body, response.headers.get('X-Request-Id'));
  rememberEtag(body, response.headers.get('ETag'));
  return body;
};
