// `v8js`: JavaScript by QuickJS in WebAssembly, in threads of this process. A script reaches nothing but what its run hands it.
// Each run has a runtime of its own, made ahead in a thread that is there already; a thread whose script had to be ended is ended
// with it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type Engine, type EngineType, ScriptException, type ScriptResult, type ScriptRun } from '../../engine.ts';
import { runFailures } from '../../run-failures.ts';

export const v8js: EngineType = {
  name: 'v8js',
  label: 'V8js',
  description: 'Server-side JavaScript handler using the V8js engine.',
  isSandboxed: true,
  plainOptions: 'curl',
  open: ({ settings }) => openV8js(settings.scriptMemory),
};

/** Threads that wait for scripts: as many as run at once, while they are in use; fewer after a while without scripts. */
const maxIdle = 16;
const restingIdle = 4;
const restTime = 30_000;
const threadsAhead = 2;
/** Megabytes of the thread beside its WebAssembly: texts on their way. */
const threadMemory = 256;

interface Thread {
  worker: Worker;
  answered: Int32Array;
}

/** What the thread says. */
type Message =
  | { kind: 'call'; name: 'api' | 'get' | 'set' | 'log'; argument: string }
  | ({ log: string; isWorn?: boolean } & Outcome);

type Outcome =
  | { kind: 'done'; event: string; returned?: string }
  | { kind: 'thrown'; message: string; statusCode?: number; code?: number | string }
  | { kind: 'memory' | 'tooMuchResult' | 'noEvent' }
  | { kind: 'broken'; problem: string };

/** `memory`: bytes that a script may use; a thread has them from its start. */
function openV8js(memory: number): Engine {
  const idle: Thread[] = [];
  const wasmModule = compile();
  let isClosed = false;
  let resting: NodeJS.Timeout | undefined;

  async function startThread(): Promise<Thread> {
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(workerFile, {
      workerData: { wasmModule: await wasmModule, answered, memory },
      // None of our settings, least of all secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: threadMemory },
    });
    worker.unref();
    return { worker, answered };
  }

  function keep(thread: Thread): void {
    if (isClosed || idle.length >= maxIdle) void thread.worker.terminate();
    else {
      idle.push(thread);
      resting ??= setTimeout(rest, restTime).unref();
      thread.worker.once('exit', () => {
        const place = idle.indexOf(thread);
        if (place >= 0) idle.splice(place, 1);
      });
    }
  }

  /** Ends threads that were needed by many scripts at once. */
  function rest(): void {
    resting = undefined;
    for (const { worker } of idle.splice(restingIdle)) void worker.terminate();
  }

  const ahead = Promise.all(Array.from({ length: threadsAhead }, () => startThread().then(keep, () => {})));

  return {
    state: async () => ({ confinement: 'webassembly' }),
    async run(run) {
      run.signal.throwIfAborted();
      const thread = idle.pop() ?? (await startThread());
      thread.worker.removeAllListeners('exit');
      try {
        const { isWorn, ...outcome } = await runInThread(thread, run);
        if (isWorn) await thread.worker.terminate();
        else keep(thread);
        return readOutcome(outcome, run);
      } catch (error) {
        if (!(error instanceof ScriptException) && !idle.includes(thread)) await thread.worker.terminate();
        throw error;
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(resting);
      await ahead;
      await Promise.all(idle.splice(0).map(({ worker }) => worker.terminate()));
    },
  };
}

/** Where the thread's program is: beside this file, or beside the bundle. */
const workerFile = new URL(import.meta.url.endsWith('.ts') ? './worker.mjs' : './v8js.js', import.meta.url);

/** The types of Node.js do not name it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/** Compiled once for all threads. */
function compile(): Promise<object> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return WebAssembly.compile(readFileSync(file));
}

/** Has a thread run a script; rejects with what its functions throw and with the reason of its signal. */
function runInThread({ worker, answered }: Thread, run: ScriptRun): Promise<Outcome & { isWorn?: boolean }> {
  const { script, event, platform, bounds, signal } = run;
  return new Promise((resolve, reject) => {
    const end = () => {
      signal.removeEventListener('abort', abort);
      // By name: the thread itself listens, too.
      for (const name of ['message', 'error', 'exit']) worker.removeAllListeners(name);
      // What is left to go wrong is that of a thread that ends.
      worker.on('error', () => {});
    };
    const refuse = (error: unknown) => {
      end();
      reject(error);
    };
    const abort = () => refuse(signal.reason);
    signal.addEventListener('abort', abort);
    worker.on('error', (error: NodeJS.ErrnoException) =>
      refuse(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? runFailures(run).memory() : error),
    );
    worker.on('exit', () => refuse(runFailures(run).noEvent()));
    worker.on('message', (message: Message) => {
      if (message.kind === 'call')
        answerCall(run, message).then((answer) => {
          worker.postMessage({ answer });
          Atomics.store(answered, 0, 1);
          Atomics.notify(answered, 0);
        }, refuse);
      else {
        end();
        const { log, ...outcome } = message;
        try {
          if (log !== '') run.log(log);
          resolve(outcome);
        } catch (error) {
          reject(error);
        }
      }
    });
    worker.postMessage({ script, event, ...platform, result: bounds.result });
  });
}

/** JSON in, JSON out. */
async function answerCall(run: ScriptRun, { name, argument }: { name: string; argument: string }) {
  if (name === 'log') return run.log(argument);
  const value = JSON.parse(argument);
  if (name === 'set') return run.store.set(value[0], value[1]);
  if (name === 'get') return JSON.stringify(await run.store.get(value));
  const { text, ...response } = await run.api(value);
  return JSON.stringify(response);
}

function readOutcome(outcome: Outcome, run: ScriptRun): ScriptResult {
  switch (outcome.kind) {
    case 'done':
      return { event: outcome.event, ...(outcome.returned === undefined ? {} : { returned: outcome.returned }) };
    case 'thrown': {
      const { message, statusCode, code } = outcome;
      throw new ScriptException(message, {
        ...(statusCode === undefined ? {} : { statusCode }),
        ...(code === undefined ? {} : { code }),
      });
    }
    case 'broken':
      throw new Error(`QuickJS failed: ${outcome.problem}`);
    default:
      throw runFailures(run)[outcome.kind]();
  }
}
