// One run of a script in a process that was started for it: the start frame, what the script asks for, its outcome, and the end of
// all that was there.
import { fail } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import { type ApiRequest, ScriptException, type ScriptResult, type ScriptRun } from '../engine.ts';
import { runFailures } from '../run-failures.ts';
import { type CallFrame, type OutcomeFrame, readFrames } from './frames.ts';
import type { ProcessEnd, StartedProcess } from './started-process.ts';
import { watchMemory } from './watch.ts';

/** Calls of a run that are under way at once; further ones are not read meanwhile. */
const maxPending = 16;
/** Bytes of answers that a script has not read; meanwhile no further call of it is read. */
const maxUnread = 1024 * 1024;
/** Frames of a run, and bytes of all of them. */
const maxFrames = 50_000;
const maxTotal = 256 * 1024 * 1024;
/** Bytes of a frame beside the result or the argument in it. */
const frameOverhead = 1024 * 1024;
/** Characters of the end of what was printed that say why an interpreter gave up. */
const maxTail = 4_000;
/** Milliseconds in which a process that was killed is gone. */
const killTime = 10_000;

export interface RunOptions {
  /** Bytes that all processes of the run may have together. */
  memory: number;
  /** Whether an interpreter that ended by itself had too little memory, by its code and the end of what it printed. */
  isOutOfMemory?(code: number, printed: string): boolean;
}

interface Outcome {
  /** Answers or throws what the run came to. */
  read(): ScriptResult;
  /** The script came to an end by itself: nothing of it is waited for. */
  isOwn: boolean;
}

/**
 * Rejects when nothing of the run is left. Where the script came to an end it resolves earlier, as soon as all that is left has
 * been killed: what the system then needs to take a process apart is longer than most scripts run.
 */
export async function runInProcess(
  process: StartedProcess,
  run: ScriptRun,
  { memory, isOutOfMemory = () => false }: RunOptions,
): Promise<ScriptResult> {
  const printed = collectOutput(process, run);
  const { outcome: settled, refuse } = converse(process, run, printed, isOutOfMemory);
  const endWatch =
    process.pid === undefined ? () => {} : watchMemory(process.pid, memory, () => refuse(runFailures(run).memory()));
  const outcome = await settled;
  endWatch();
  process.kill();
  if (outcome.isOwn) await turnOfEvents();
  else await endOf(process.ended);
  printed.stop();
  return outcome.read();
}

/** What was printed before the outcome may have been announced after it. */
const turnOfEvents = async () => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

interface Output {
  /** Hands a text to the log of the run, which may refuse it. */
  log(text: string): void;
  tail(): string;
  /** Called when the log has refused more. */
  onRefusal: (error: unknown) => void;
  stop(): void;
}

function collectOutput({ output }: StartedProcess, run: ScriptRun): Output {
  let tail = '';
  let isOver = false;
  const collected: Output = {
    log(text) {
      if (isOver) return;
      try {
        run.log(text);
      } catch (error) {
        isOver = true;
        collected.onRefusal(error);
      }
    },
    tail: () => tail,
    onRefusal: () => {},
    stop() {
      isOver = true;
    },
  };
  for (const stream of output)
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-maxTail);
      collected.log(text);
    });
  return collected;
}

/** Sends the script and answers what it asks for, until there is an outcome, or `refuse` is called with one. */
function converse(
  { frames, ended }: StartedProcess,
  run: ScriptRun,
  printed: Output,
  isOutOfMemory: NonNullable<RunOptions['isOutOfMemory']>,
): { outcome: Promise<Outcome>; refuse: (error: unknown) => void } {
  let resolve: (outcome: Outcome) => void = () => {};
  const outcome = new Promise<Outcome>((settled) => {
    resolve = settled;
  });
  const failures = runFailures(run);
  let isOver = false;
  const settle = (result: Outcome) => {
    if (isOver) return;
    isOver = true;
    run.signal.removeEventListener('abort', abort);
    // What is left to be read is waited for by nobody.
    frames.removeListener('drain', resume);
    frames.resume();
    resolve(result);
  };
  const refuse = (error: unknown) => {
    const read = () => {
      throw error;
    };
    settle({ read, isOwn: false });
  };
  const abort = () => refuse(run.signal.reason);
  printed.onRefusal = refuse;
  run.signal.addEventListener('abort', abort);

  let pending = 0;
  const isFull = () => pending >= maxPending || frames.writableLength >= maxUnread;
  const resume = () => {
    if (!isFull()) frames.resume();
  };
  frames.on('drain', resume);
  const answer = (frame: CallFrame) => {
    pending += 1;
    if (isFull()) frames.pause();
    answerCall(run, frame).then((text) => {
      pending -= 1;
      if (isOver) return;
      frames.write(`${JSON.stringify({ id: frame.id, answer: text ?? null })}\n`);
      resume();
    }, refuse);
  };
  const line = 2 * run.bounds.result + frameOverhead;
  readFrames(
    frames,
    { line, total: Math.max(maxTotal, line), count: maxFrames },
    {
      handle(frame) {
        if (isOver) return;
        if (frame.kind !== 'call') settle({ read: () => readOutcome(frame, run), isOwn: true });
        else if (frame.name === 'log') printed.log(readText(frame.argument));
        else answer(frame);
      },
      refuse(reason) {
        if (reason === 'malformed') refuse(failures.noEvent());
        else if (reason === 'tooLong') refuse(failures.tooMuchResult());
        else refuse(fail('script.tooManyCalls', { name: run.identifier, limit: maxFrames }));
      },
    },
  );
  void ended.then(({ code, error }) => {
    if (code === undefined) refuse(error);
    else if (isOutOfMemory(code, printed.tail())) refuse(failures.memory());
    else refuse(code === 0 ? failures.noEvent() : failures.exit(code));
  });
  if (run.signal.aborted) abort();
  const { script, identifier, event, platform, bounds } = run;
  frames.write(`${JSON.stringify({ script, identifier, event, ...platform, result: bounds.result })}\n`);
  return { outcome, refuse };
}

async function endOf(ended: Promise<ProcessEnd>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('A process of a script is still there after it was killed.')), killTime);
  });
  await Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

/** JSON out; nothing where there is no value. */
async function answerCall(run: ScriptRun, { name, argument }: CallFrame): Promise<string | undefined> {
  const value = readJson(argument);
  if (name === 'set') {
    const [key, kept] = Array.isArray(value) ? value : [];
    await run.store.set(String(key), kept ?? null);
    return undefined;
  }
  if (name === 'get') return JSON.stringify(await run.store.get(String(value)));
  return JSON.stringify(await run.api(readRequest(value)));
}

function readRequest(value: unknown): ApiRequest {
  const { verb, path, payload, options } = isRecord(value) ? value : {};
  return { verb: String(verb ?? ''), path: String(path ?? ''), payload, options };
}

function readText(argument: string): string {
  const value = readJson(argument);
  return typeof value === 'string' ? value : argument;
}

/** What is no JSON is null: the script made it itself. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readOutcome(outcome: OutcomeFrame, run: ScriptRun): ScriptResult {
  switch (outcome.kind) {
    case 'done': {
      const { event, returned } = outcome;
      if (event.length + (returned?.length ?? 0) > run.bounds.result) throw runFailures(run).tooMuchResult();
      return { event, ...(returned === undefined ? {} : { returned }) };
    }
    case 'thrown': {
      const { message, statusCode, code } = outcome;
      throw new ScriptException(message, {
        ...(statusCode === undefined ? {} : { statusCode }),
        ...(code === undefined ? {} : { code }),
      });
    }
    default:
      throw runFailures(run)[outcome.kind]();
  }
}
