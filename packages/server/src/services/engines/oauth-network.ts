// Calls to providers of sign-in: within the bounds of all calls outside, to addresses of private networks only where the setting
// names them.
import { Failure, fail } from '@sluice/contract';
import { parseJson } from '../../call/formats/json.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { createSendOutside, type FetchWords, type SendOutside } from '../../fetch/open.ts';
import { privateTargetsOf, type Settings } from '../../settings/index.ts';

/** Bytes of an answer. */
const maxAnswer = 1024 * 1024;

const words: FetchWords = {
  failed: (problem, cause) => fail('provider.unreachable', { problem }, { cause }),
  tooLarge: (limit) => fail('provider.oddAnswer', { problem: `it has more than ${limit} bytes` }),
};

/** As `fetch`, for libraries: one request, whose redirects are not followed. */
export type ProviderFetch = (address: string, init: RequestInit) => Promise<Response>;

const limits = { connectTimeout: 10_000, idleTimeout: 10_000, totalTimeout: 20_000 };

export function createProviderFetch(settings: Pick<Settings, 'fetchPrivate'>): ProviderFetch {
  let send: SendOutside | undefined;
  return async (address, { method = 'GET', headers, body, signal }) => {
    const text = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : undefined;
    send ??= createSendOutside({ privateTargets: privateTargetsOf(settings), ...limits }, words);
    const response = await send({
      ...{ verb: method, address, headers: new Map(new Headers(headers)), maxRedirects: 0 },
      ...(text === undefined ? {} : { body: Buffer.from(text) }),
      ...(signal ? { signal } : {}),
    });
    const bytes = await response.bytes(maxAnswer);
    const type = response.headers['content-type'];
    return new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, {
      status: response.status,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  };
}

/** The object that an address answers; a status of refusal is one of the person's token. */
export async function getJson(fetch: ProviderFetch, address: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(address, init);
  const { status } = response;
  if (status === 401 || status === 403) throw fail('provider.refused', { reason: `it answered with status ${status}` });
  if (status !== 200) throw fail('provider.oddAnswer', { problem: `it has the status ${status}` });
  try {
    return parseJson(await response.text());
  } catch (error) {
    if (error instanceof Failure) throw fail('provider.oddAnswer', { problem: 'it is no JSON' });
    throw error;
  }
}

export function requireObject(value: unknown): RecordInput {
  if (!isRecord(value)) throw fail('provider.oddAnswer', { problem: 'it is no object' });
  return value;
}
