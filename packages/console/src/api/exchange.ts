import { text as say } from '../text/index.ts';
import { api } from './client.ts';
import { ApiError } from './errors.ts';
import { apiUrl, connection, type QueryValue } from './send.ts';
import { currentToken } from './session-state.ts';

/** Bytes of an answer that are read; what comes behind them is not fetched. */
export const maxAnswerBytes = 100 * 1024;

/** A call and what it was answered, as a program would see it: a refusal is an answer too. */
export interface Exchange {
  status: number;
  /** From the call to the last byte that was read. */
  milliseconds: number;
  body: string;
  /** Whether there is more than `body` holds. */
  isCut: boolean;
  headers: readonly (readonly [name: string, value: string])[];
}

/** What is sent besides the address; absent: a GET. */
export interface Sending {
  verb: string;
  /** JSON, or a file as it is. */
  body?: string | File | undefined;
}

/** Who makes the call: an app by its key alone, or the person who is signed in. */
export type Caller = { apiKey: string } | 'session';

/** Makes a call and tells what came of it. The session is renewed as behind any other call. Throws when no answer came at all. */
export async function exchange(
  path: string,
  query: Record<string, QueryValue>,
  caller: Caller,
  signal: AbortSignal,
  sending?: Sending,
): Promise<Exchange> {
  const answered = await exchangeOnce(path, query, caller, signal, sending);
  if (caller !== 'session' || answered.status !== 401) return answered;
  // Whatever the session needs, a new token or a sign-in, is done for this call; then ours is made again.
  await api.get('', { signal });
  return exchangeOnce(path, query, caller, signal, sending);
}

async function exchangeOnce(
  path: string,
  query: Record<string, QueryValue>,
  caller: Caller,
  signal: AbortSignal,
  { verb, body: sent }: Sending = { verb: 'GET' },
): Promise<Exchange> {
  const start = performance.now();
  try {
    const headers = headersOf(caller);
    if (sent !== undefined)
      headers.set(
        'Content-Type',
        typeof sent === 'string' ? 'application/json' : sent.type || 'application/octet-stream',
      );
    const options = { method: verb, headers, body: sent ?? null, signal, credentials: 'omit' as const };
    const response = await fetch(apiUrl(path, query), options);
    const { body, isCut } = await readStart(response);
    return {
      status: response.status,
      milliseconds: performance.now() - start,
      body,
      isCut,
      headers: [...response.headers],
    };
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ApiError({ status: 0, code: 0, message: say('common:unreachable'), cause });
  }
}

function headersOf(caller: Caller): Headers {
  const headers = new Headers({ Accept: 'application/json' });
  const apiKey = caller === 'session' ? connection.get().apiKey : caller.apiKey;
  const token = caller === 'session' ? currentToken() : null;
  if (apiKey) headers.set('X-DreamFactory-API-Key', apiKey);
  if (token) headers.set('X-DreamFactory-Session-Token', token);
  return headers;
}

async function readStart(response: Response): Promise<{ body: string; isCut: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let body = '';
  let left = maxAnswerBytes;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    body += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
    if (left < 0) {
      await reader.cancel();
      return { body, isCut: true };
    }
  }
  return { body: body + decoder.decode(), isCut: false };
}
