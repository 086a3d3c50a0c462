// Engines whose scripts run in processes: one that was started ahead for each run, and is never used again. What confines it is
// found out by trying. What an engine adds is its interpreter and a program that speaks with the server in frames of JSON on its
// descriptor 3 (frames.ts); what it prints is the script's log.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import type { ScriptTypeName } from '@sluice/contract';
import type { Confinement, Engine, EngineContext, EngineState, ScriptRun } from '../engine.ts';
import { type LaunchPlace, launchOf, type ProcessBounds, type Program } from './launch.ts';
import { type RunOptions, runInProcess } from './run-in-process.ts';
import { type StartedProcess, startProcess } from './started-process.ts';

export type { Program } from './launch.ts';
export { programFile } from './program-file.ts';

/** What confines processes, the best first. */
type ProcessConfinement = Exclude<Confinement, 'webassembly'>;
const confining: readonly ProcessConfinement[] = ['bubblewrap', 'user'];

export interface ConfinedEngine extends Omit<RunOptions, 'memory'> {
  type: ScriptTypeName;
  /** Looks for the interpreter, once; `missing` says what to install, a sentence. */
  find(): Promise<Program | { missing: string }>;
  /** Bytes that the interpreter itself may write to, beside those of the script. */
  ownMemory: number;
  /** Bytes of addresses that it takes beside those; absent: they are not bounded, as some take far more than they use. */
  ownAddresses?: number;
  /** Only these are tried; for tests. */
  confinements?: readonly ProcessConfinement[];
}

/** Processes that wait for scripts. */
const maxIdle = 4;
/** Milliseconds between two that are started ahead. */
const refillTime = 15;
/** Milliseconds after the last run in which they go on waiting. */
const idleTime = 10 * 60_000;
/** Milliseconds in which a first script of no text has to be done. */
const trialTime = 20_000;

interface Found extends EngineState {
  start?: () => StartedProcess;
}

export function openConfinedEngine(engine: ConfinedEngine, { settings, log }: EngineContext): Engine {
  const idle: StartedProcess[] = [];
  const running = new Set<StartedProcess>();
  const bounds: ProcessBounds = {
    memory: settings.scriptMemory + engine.ownMemory,
    ...(engine.ownAddresses === undefined
      ? {}
      : { addresses: settings.scriptMemory + engine.ownMemory + engine.ownAddresses }),
    processes: settings.scriptProcesses,
    disk: settings.scriptDisk,
    files: settings.scriptFiles,
    seconds: settings.scriptSeconds,
  };
  const hidden = [realPath(settings.data)];
  let found: Promise<Found> | undefined;
  let isClosed = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let refillTimer: NodeJS.Timeout | undefined;

  /** The interpreter, and what confines it here. */
  async function look(): Promise<Found> {
    const program = await engine.find();
    if ('missing' in program) return { missing: program.missing, confinement: 'none' };
    const starting = (confinement: ProcessConfinement) => () => {
      const process = startProcess(launchOf(confinement, program, bounds, placeOf(hidden)));
      running.add(process);
      void process.ended.then(() => running.delete(process));
      return process;
    };
    for (const confinement of engine.confinements ?? confining) {
      const start = starting(confinement);
      const problem = await tryOut(start);
      if (problem === undefined) return { confinement, start };
      log.warn({ type: engine.type, confinement, problem }, 'Scripts cannot be confined in this way here.');
    }
    const isAllowed = settings.scriptsUnconfined
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .includes(engine.type);
    if (!isAllowed) return { missing: nothingConfines(engine.type), confinement: 'none' };
    const start = starting('none');
    const problem = await tryOut(start);
    return problem === undefined
      ? { confinement: 'none', start }
      : { missing: `The interpreter does not run: ${problem}`, confinement: 'none' };
  }

  const state = () => {
    found ??= look();
    return found;
  };

  /** Starts processes ahead one by one, a moment later: what runs now comes first. */
  function refill(start: () => StartedProcess): void {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(endIdle, idleTime);
    idleTimer.unref();
    if (isClosed || refillTimer !== undefined || idle.length >= maxIdle) return;
    refillTimer = setTimeout(() => {
      refillTimer = undefined;
      if (isClosed || idle.length >= maxIdle) return;
      idle.push(start());
      refill(start);
    }, refillTime);
    refillTimer.unref();
  }

  const endIdle = () => {
    for (const process of idle.splice(0)) process.kill();
  };

  return {
    async state() {
      const { missing, confinement } = await state();
      return { confinement, ...(missing === undefined ? {} : { missing }) };
    },
    async run(run) {
      const { start, missing } = await state();
      if (!start) throw new Error(`It cannot run: ${missing}`);
      run.signal.throwIfAborted();
      let process = idle.shift();
      while (process?.hasEnded()) process = idle.shift();
      process ??= start();
      refill(start);
      return runInProcess(process, run, { ...engine, memory: bounds.memory });
    },
    async close() {
      isClosed = true;
      clearTimeout(idleTimer);
      clearTimeout(refillTimer);
      endIdle();
      await Promise.all([...running].map(({ ended }) => ended));
    },
  };
}

/** Runs an empty script; answers what went wrong. */
async function tryOut(start: () => StartedProcess): Promise<string | undefined> {
  let printed = '';
  const run: ScriptRun = {
    ...{ identifier: 'trial', script: '', event: '{}', platform: { config: '{}', session: '{}' } },
    api: () => Promise.reject(new Error('none')),
    store: { get: () => Promise.reject(new Error('none')), set: () => Promise.reject(new Error('none')) },
    log: (text) => {
      printed = (printed + text).slice(-1_000);
    },
    bounds: { time: trialTime, memory: 0, result: 1_000 },
    signal: AbortSignal.timeout(trialTime),
  };
  try {
    await runInProcess(start(), run, { memory: Number.POSITIVE_INFINITY });
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} ${printed}`.trim();
  }
}

const nothingConfines = (type: ScriptTypeName) =>
  `Nothing confines their processes here: install bubblewrap 0.8 or newer where it may make namespaces, or start the server as root where it may (docs/operations.md). SLUICE_SCRIPTS_UNCONFINED=${type} runs them with the rights of the server.`;

/** A user that nobody is, another for each run, so that the system counts the processes of each by itself. */
const firstUserId = 1_000_000_000;
let lastUserId = process.pid * 4_096;

function placeOf(hidden: readonly string[]): LaunchPlace {
  lastUserId += 1;
  return {
    isRoot: process.getuid?.() === 0,
    userId: firstUserId + (lastUserId % firstUserId),
    hidden,
    look,
  };
}

const look: LaunchPlace['look'] = (path) => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return { kind: 'none' };
  if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
  return { kind: stats.isDirectory() ? 'folder' : 'file' };
};

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
