// The thread of one service, from this side (thread/worker.ts): what is asked of it, and how long it may take.
import { createThread } from '../../service/thread.ts';
import type { Definition, MessageHeader } from './thread/client.ts';
import type { Listed, Looked, Received, Sent, SoapAnswer, SoapTask } from './thread/worker.ts';

/** Milliseconds that the thread may take for one task, those that wait before it included. */
const taskTime = 10_000;
/** Milliseconds in which the thread is there, on a machine that has much to do. */
const startTime = 60_000;
/** Milliseconds without work after which the thread ends; it is started again with what it needs. */
const idleTimeout = 60_000;
/** Megabytes. */
const memory = 256;

/** What a text from elsewhere is to blame for, in words for people. */
export class Problem extends Error {}

export interface Program {
  /** Looks at a document of a WSDL. */
  look(text: string): Promise<Looked>;
  list(definition: KeyedDefinition): Promise<Listed>;
  /** The message of a call. */
  write(
    definition: KeyedDefinition,
    call: { operation: string; value: unknown; headers: MessageHeader[] },
  ): Promise<Sent>;
  /** What an answer says. */
  read(definition: KeyedDefinition, answer: { operation: string; text: string }): Promise<Received>;
  close(): Promise<void>;
}

/** What the thread gets once, and knows by its key from then on. */
export interface KeyedDefinition {
  key: string;
  definition: Definition;
}

type KeyedTask = Extract<SoapTask, { key: string }>;

/** Throws `Problem` where a text takes too much time or memory, too. `onFailure`: the thread fails while it has nothing to do. */
export function createProgram(onFailure: (error: Error) => void, timeLimit = taskTime): Program {
  const thread = createThread({
    filename: new URL(import.meta.url.endsWith('.ts') ? './thread/from-source.mjs' : './soap.js', import.meta.url).href,
    name: 'soap',
    idleTimeout,
    memory,
  }).on('error', onFailure);

  async function run<T>(task: SoapTask): Promise<SoapAnswer<T>> {
    try {
      // What a task may take is for its text.
      if (thread.threads.length === 0) await thread.run({ kind: 'start' }, { signal: AbortSignal.timeout(startTime) });
      return await thread.run(task, { signal: AbortSignal.timeout(timeLimit) });
    } catch (error) {
      const { name, code } = error as Error & { code?: string };
      if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new Problem('it takes too much time or memory');
      throw error;
    }
  }

  function valueIn<T>(answer: SoapAnswer<T>): T {
    if ('value' in answer) return answer.value;
    throw new Problem('problem' in answer ? answer.problem : 'it is not there any more');
  }

  async function ask<T>({ key, definition }: KeyedDefinition, task: Omit<KeyedTask, 'key' | 'definition'>): Promise<T> {
    const known = { ...task, key } as KeyedTask;
    const answer = await run<T>(known);
    return valueIn('missing' in answer ? await run<T>({ ...known, definition } as KeyedTask) : answer);
  }

  return {
    look: async (text) => valueIn(await run<Looked>({ kind: 'look', text })),
    list: (definition) => ask(definition, { kind: 'list' }),
    write: (definition, call) => ask(definition, { kind: 'write', ...call } as never),
    read: (definition, answer) => ask(definition, { kind: 'read', ...answer } as never),
    close: () => thread.destroy(),
  };
}
