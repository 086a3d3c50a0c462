// Calls of the APIs of mail providers: one address of theirs, a bounded answer, no redirect, a timeout for the whole.
import { Failure, fail } from '@sluice/contract';
import { isRecord } from '../call/payload.ts';
import { refusal, sendTimeout, transportText } from './transport.ts';

/** Bytes of an answer that are read. */
const maxAnswer = 64 * 1024;

export interface ApiCall {
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is a form. */
  body?: FormData | object;
  method?: 'GET' | 'POST';
  timeout?: number;
}

export interface ApiAnswer {
  status: number;
  /** The answer as JSON, or as text. */
  body: unknown;
}

/** Calls and answers whatever status comes; throws `mail.unreachable` where none does. */
export async function callApi({
  url,
  headers,
  body,
  method = 'POST',
  timeout = sendTimeout,
}: ApiCall): Promise<ApiAnswer> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    return { status: response.status, body: parsed(await readText(response)) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const isLate = (error as Error).name === 'TimeoutError';
    throw fail('mail.unreachable', { text: isLate ? 'it took too long' : 'it can not be reached' }, { cause: error });
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxAnswer) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Throws what an answer other than a success means; `text` is what the provider says. */
export function requireSuccess({ status, body }: ApiAnswer, text: string, secrets: readonly string[]): void {
  if (status >= 200 && status < 300) return;
  throw apiRefusal(status, text || (typeof body === 'string' ? body : ''), secrets);
}

/** The failure of a status, with the words of the provider. */
export function apiRefusal(status: number, text: string, secrets: readonly string[]): Failure {
  const words = transportText(text, secrets) || `it must answer with a success, not with ${status}`;
  if (status === 401 || status === 403) return fail('mail.loginRefused', { text: words });
  return refusal(words, status >= 500 || status === 429);
}

/** A field of an answer, as a text. */
export const textOf = (body: unknown, field: string): string => {
  const value = isRecord(body) ? body[field] : undefined;
  return typeof value === 'string' ? value : '';
};
