import { errorOf, SluiceError } from './errors.ts';
import type { CallOptions, ClientOptions, Session, SignIn } from './types.ts';

// ---- Sending, and the session ----

interface Outgoing extends CallOptions {
  method: string;
  /** Below `/api/v2/`, its segments encoded. */
  path: string;
  query?: Record<string, unknown> | undefined;
  /** Sent as JSON, unless it is `content`. */
  body?: unknown;
  content?: Blob | string | Uint8Array<ArrayBuffer> | undefined;
  headers?: Record<string, string>;
  /** The answer as it is, whatever it is. */
  isFile?: boolean;
}

const defaultTimeout = 60_000;
/** Longer filters go in a body: servers and proxies bound addresses. */
const maxFilterLength = 4_000;
/** How long before the end of a token a new one is fetched, at most. */
const renewalLead = 60_000;

/** A segment of an address. `.` and `..` would lead elsewhere, and nothing to the list. */
export function encodeSegment(value: unknown): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..')
    throw new SluiceError('input', `${JSON.stringify(text)} cannot stand in an address.`);
  try {
    return encodeURIComponent(text);
  } catch (cause) {
    throw new SluiceError('input', 'The address holds half a letter.', { cause });
  }
}

/** The segments of a path of a file or a folder. */
export const encodePath = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '')
    .map(encodeSegment)
    .join('/');

const baseOf = (address: string): string => `${address.replace(/\/+$/, '').replace(/\/api\/v2$/, '')}/api/v2/`;

/** The path of a session, for people and for administrators. */
const sessionPath = (isAdministrator: boolean): string => (isAdministrator ? 'system/admin/session' : 'user/session');

export type Send = (outgoing: Outgoing) => Promise<unknown>;

/** What calls: with the key, and with the token of the session, renewed in time. */
export function openConnection(options: ClientOptions, ownAddress: string) {
  const base = baseOf(options.address ?? ownAddress);
  let session = options.session;
  let renewAt = renewalTime(session);
  let renewal: Promise<Session> | undefined;

  function store(next: Session | undefined): void {
    session = next;
    renewAt = renewalTime(next);
    options.onSession?.(next);
  }

  function renew(): Promise<Session> {
    renewal ??= renewOnce().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  async function renewOnce(): Promise<Session> {
    const old = session;
    if (!old) throw new SluiceError('input', 'There is no session to renew.');
    try {
      const path = sessionPath(old.is_sys_admin);
      const renewed = (await exchange({ method: 'PUT', path, body: {} }, old.session_token)) as Session;
      const next = { ...old, ...renewed };
      // It may have ended, or another begun, in the meantime.
      if (session === old) store(next);
      return next;
    } catch (error) {
      const isRefused = error instanceof SluiceError && (error.status === 401 || error.status === 403);
      if (isRefused && session === old) store(undefined);
      throw error;
    }
  }

  /** A call of the caller's. One that the server refused for its token is made again with a new one. */
  const send: Send = async (outgoing) => {
    if (session && (renewal || Date.now() >= renewAt))
      await renew().catch((error) => {
        // Without its session it would be another caller's call. The old token may still do where there was no answer.
        if (!session) throw error;
      });
    const used = session;
    try {
      return await exchange(outgoing, used?.session_token);
    } catch (error) {
      if (!used || !refusesToken(error)) throw error;
      // Another call renewed the session while this one was under way.
      if (session === used) await renew().catch(() => undefined);
      if (!session || session === used) throw error;
      return exchange(outgoing, session.session_token);
    }
  };

  async function exchange(outgoing: Outgoing, token: string | undefined): Promise<unknown> {
    const { signal } = outgoing;
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timeout = outgoing.timeout ?? options.timeout ?? defaultTimeout;
    let isLate = false;
    const timer =
      timeout > 0
        ? setTimeout(() => {
            isLate = true;
            abort();
          }, timeout)
        : undefined;
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      const response = await (options.fetch ?? fetch)(...requestOf(outgoing, token, controller.signal));
      return await answerOf(response, outgoing);
    } catch (cause) {
      if (cause instanceof SluiceError) throw cause;
      if (isLate) throw new SluiceError('timeout', `No answer came in ${timeout} ms.`, { cause });
      if (signal?.aborted) throw new SluiceError('aborted', 'The call was aborted.', { cause });
      throw new SluiceError('network', `No answer came: ${cause instanceof Error ? cause.message : cause}`, { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  function requestOf(outgoing: Outgoing, token: string | undefined, signal: AbortSignal): [string, RequestInit] {
    const { filter, ...query } = outgoing.query ?? {};
    const isLong = typeof filter === 'string' && filter.length > maxFilterLength;
    // A GET has no body of its own.
    const isTunnelled =
      outgoing.content === undefined &&
      !Array.isArray(outgoing.body) &&
      (isLong || (outgoing.method === 'GET' && outgoing.body !== undefined));
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(isTunnelled ? query : { ...query, filter }))
      if (value !== undefined) parameters.append(name, String(value));
    const body = isLong && isTunnelled ? { ...(outgoing.body as object | undefined), filter } : outgoing.body;
    const search = parameters.size > 0 ? `?${parameters}` : '';
    const init: RequestInit = {
      method: isTunnelled ? 'POST' : outgoing.method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(options.key ? { 'X-DreamFactory-API-Key': options.key } : {}),
        ...(token ? { 'X-DreamFactory-Session-Token': token } : {}),
        ...(isTunnelled ? { 'X-HTTP-Method': outgoing.method } : {}),
        ...outgoing.headers,
      },
      signal,
      // The key and the token are for this address alone.
      redirect: 'error',
      credentials: 'omit',
    };
    if (outgoing.content !== undefined) init.body = outgoing.content;
    else if (body !== undefined) init.body = JSON.stringify(body);
    return [`${base}${outgoing.path}${search}`, init];
  }

  return {
    send,
    renew,
    session: () => session,
    async signIn({ administrator = false, ...credentials }: SignIn, callOptions: CallOptions = {}): Promise<Session> {
      const path = sessionPath(administrator);
      const next = (await exchange({ ...callOptions, method: 'POST', path, body: credentials }, undefined)) as Session;
      store(next);
      return next;
    },
    async signOut(callOptions: CallOptions = {}): Promise<void> {
      const old = session;
      if (!old) return;
      store(undefined);
      const path = sessionPath(old.is_sys_admin);
      try {
        await exchange({ ...callOptions, method: 'DELETE', path }, old.session_token);
      } catch (error) {
        // It had ended.
        if (!(error instanceof SluiceError) || (error.status !== 401 && error.status !== 403)) throw error;
      }
    },
  };
}

/** When to renew a session; never for a token of whose end this clock says nothing: the server will. */
function renewalTime(session: Session | undefined): number {
  const now = Date.now();
  const rest = Date.parse(session?.token_expiry_date ?? '') - now;
  return rest > 0 ? now + rest - Math.min(renewalLead, rest / 5) : Number.POSITIVE_INFINITY;
}

/** These two texts are a part of the API: the token is over, or another took its place. */
const refusesToken = (error: unknown): boolean =>
  error instanceof SluiceError &&
  ((error.status === 401 && error.message.includes('Token has expired')) ||
    (error.status === 403 && error.message.includes('The token has been blacklisted')));

async function answerOf(response: Response, { isFile }: Outgoing): Promise<unknown> {
  if (response.ok && isFile) return response.blob();
  const type = response.headers.get('content-type') ?? '';
  if (!/\bjson\b/.test(type)) {
    if (!response.ok) throw errorOf(response.status, undefined);
    return /^text\//.test(type) ? response.text() : response.blob();
  }
  const text = await response.text();
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    if (response.ok) throw new SluiceError('network', 'The answer is no JSON.', { cause });
  }
  if (!response.ok) throw errorOf(response.status, body);
  return body;
}
