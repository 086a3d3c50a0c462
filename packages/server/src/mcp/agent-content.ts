// The answer of a call for an agent: its text, or bytes that are none; whole, or refused. Cut short it would look whole.
import { isUtf8 } from 'node:buffer';
import { addAbortSignal } from 'node:stream';
import { fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { Call } from '../call/call.ts';
import { jsonPieces, streamJson } from '../call/formats/json.ts';
import { discard, isRaw, type RawBody, type Reply, readBytes } from '../call/reply.ts';

/** Bytes of the text of one answer. */
export const maxAnswer = 1024 * 1024;
/** Milliseconds for the bytes of a stream, beside those of the call. */
const streamTime = 60_000;

/** What a call answered. Bytes that are no text are base64. */
export type AgentContent = { text: string } | { base64: string; contentType: string };

/** Fails with `call.answerTooLarge` where the text, or the base64, is longer than an agent can use. */
export async function agentContent(reply: Reply, call: Pick<Call, 'signal'>): Promise<AgentContent> {
  const { body } = reply;
  try {
    if (isRaw(body)) return await rawContent(body, call);
    if ('json' in body) return { text: bounded(body.json) };
    return { text: await joined('rows' in body ? streamJson(body.rows) : jsonPieces(body.value), call) };
  } catch (error) {
    discard(reply);
    throw error;
  }
}

function bounded(text: string): string {
  if (Buffer.byteLength(text) > maxAnswer) throw tooLarge();
  return text;
}

const tooLarge = () => fail('call.answerTooLarge', { limit: maxAnswer });

async function joined(pieces: Iterable<string> | AsyncIterable<string>, { signal }: Pick<Call, 'signal'>) {
  const texts: string[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += Buffer.byteLength(piece);
    if (size > maxAnswer) throw tooLarge();
    texts.push(piece);
    signal.throwIfAborted();
    await pause();
  }
  return texts.join('');
}

async function rawContent(body: RawBody, { signal }: Pick<Call, 'signal'>): Promise<AgentContent> {
  const bytes = await readBytes(
    withSignal(body, AbortSignal.any([signal, AbortSignal.timeout(streamTime)])),
    maxAnswer,
  );
  if (isText(body.type) && isUtf8(bytes)) return { text: Buffer.from(bytes).toString('utf8') };
  return { base64: bounded(Buffer.from(bytes).toString('base64')), contentType: body.type };
}

/** A stream ends with its caller. */
const withSignal = (body: RawBody, signal: AbortSignal): RawBody =>
  'open' in body ? { ...body, open: async () => addAbortSignal(signal, await body.open()) } : body;

const isText = (type: string) => /^text\/|[/+](json|xml|yaml|javascript|x-www-form-urlencoded) *(;|$)/i.test(type);
