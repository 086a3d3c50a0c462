// Calls to Swift and to the identity service that hands out its tokens.
import { fail } from '@sluice/contract';
import { networkFailure } from '../../storage/network.ts';
import { withDeadline } from '../../storage/object-calls.ts';

export interface SwiftOptions {
  /** Of the identity service, with its version at the end (`/v2.0`, `/v3`) or the third. */
  identityUrl: string;
  username: string;
  /** The project, as it is called from version 3 on. */
  tenant: string;
  /** A password, or an API key. */
  secret: string;
  isApiKey: boolean;
  /** Of the user and of the project; version 3 only. */
  domain: string;
  region?: string | undefined;
  /** The address of the account, in place of that of the catalogue. */
  endpoint?: string | undefined;
  container: string;
  /** Words of a server as messages may have them. */
  words(text: string): string;
}

/** Bytes of an answer that is read as a whole; listings of 1,000 objects have half a megabyte at most. */
const longestAnswer = 16 * 1024 * 1024;

/** Sends a call and waits for the head of its answer. A token goes nowhere else: redirections are not followed. */
export async function sendCall(url: string, init: RequestInit & { duplex?: 'half' }): Promise<Response> {
  try {
    const send = (signal: AbortSignal) => fetch(url, { redirect: 'manual', ...init, signal });
    // One that carries a file has a signal of its own.
    return await (init.signal ? send(init.signal) : withDeadline(send));
  } catch (error) {
    throw networkFailure(error) ?? error;
  }
}

/** The JSON of an answer; an empty object where it is none. */
export async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await readText(response));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw networkFailure(error) ?? error;
  }
}

/** The text of an answer. */
export const readText = (response: Response): Promise<string> =>
  withDeadline(async (signal) => {
    const reader = response.body?.getReader();
    signal.addEventListener('abort', () => reader?.cancel().catch(() => {}), { once: true });
    const chunks: Uint8Array[] = [];
    let size = 0;
    while (reader) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      size += value.length;
      if (size > longestAnswer) {
        await reader.cancel();
        throw fail('file.storageFailed', { text: `it sends an answer of more than ${longestAnswer} bytes` });
      }
      chunks.push(value);
    }
    return Buffer.concat(chunks).toString();
  });
