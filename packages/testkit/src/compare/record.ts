// Makes all calls to one server, one after the other, and keeps what it answers.
import { type Call, fill, type Json, type Variables } from './call.ts';
import type { Answer, Sender } from './send.ts';

/** What became of a call: its answer, or why there is none. */
export interface Recording {
  call: Call;
  /** Milliseconds of the clock that the server shares with us. No two calls have one in common. */
  startedAt: number;
  endedAt: number;
  answer?: Answer;
  failure?: string;
}

/** Headers of who calls, by name; they may hold `{{names}}` of earlier answers. */
export type Callers = Record<string, Record<string, string>>;

/** Makes the calls in order; one that cannot be made is recorded as a failure. */
export async function record(
  calls: readonly Call[],
  callers: Callers,
  sender: Pick<Sender, 'send' | 'sendRaw'>,
  variables: Variables,
): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const call of calls) {
    const startedAt = await nextMillisecond(recordings.at(-1)?.endedAt ?? 0);
    const result = await make(call, callers, sender, variables).catch((error: Error) => ({ failure: error.message }));
    recordings.push({ call, startedAt, endedAt: Date.now(), ...result });
  }
  return recordings;
}

async function make(
  call: Call,
  callers: Callers,
  sender: Pick<Sender, 'send' | 'sendRaw'>,
  variables: Variables,
): Promise<Pick<Recording, 'answer' | 'failure'>> {
  const { verb, target, as = 'admin', headers = {}, body } = fill(call, variables);
  const caller = callers[as];
  if (!caller) throw new Error(`nobody is called ${as}`);
  const answer =
    verb === 'RAW'
      ? await sender.sendRaw(String(body))
      : await sender.send({ verb, target, ...payload(body, { ...fill(caller, variables), ...headers }) });
  return { answer, ...keep(call, answer, variables) };
}

/** The body as it is sent, and its content type where none is named. */
function payload(body: Json | Uint8Array | undefined, headers: Record<string, string>) {
  if (body === undefined) return { headers };
  if (typeof body === 'string' || body instanceof Uint8Array) return { headers, body };
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    headers: isNamed ? headers : { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Keeps what the call says; an answer that lacks it is a failure, since later calls would not be what they say. */
function keep({ keep: wanted = {} }: Call, answer: Answer, variables: Variables): Pick<Recording, 'failure'> {
  for (const [name, place] of Object.entries(wanted)) {
    const value = valueAt(answer, place);
    if (value === undefined) return { failure: `there is no ${place} in the answer (${answer.status})` };
    variables.set(name, value);
  }
  return {};
}

function valueAt({ headers, body }: Answer, place: string): Json | undefined {
  if (place.startsWith('header ')) return headers[place.slice('header '.length)];
  try {
    let value: Json | undefined = JSON.parse(body.toString('utf8'));
    for (const key of place.split('.')) value = (value as Record<string, Json> | null | undefined)?.[key];
    return value;
  } catch {
    return undefined;
  }
}

/** Waits until the clock is past a moment, so that a time tells in which call it was taken. */
async function nextMillisecond(after: number): Promise<number> {
  for (;;) {
    const now = Date.now();
    if (now > after) return now;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
