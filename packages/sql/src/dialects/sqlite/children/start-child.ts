// Children are started by a small process of their own (spawner.mjs): from this one, which may be large, everybody would
// wait for it.
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { yieldingPriority } from '../../../shares/yield-cores.ts';
import type { FileOptions } from '../driver/index.ts';
import { receiveMessages, sendMessage } from './channel.ts';
import type { Answer, Request } from './child.ts';

/**
 * The messages to the spawner. `start` runs a program with these options of Node, and with the spawner's number before the
 * arguments; `hasSocket`: this process has got the socket of a child.
 */
export type Order =
  | { start: number; options: string[]; program: string; args: string[]; priority: number }
  | { kill: number }
  | { hasSocket: number };
/** What the spawner says of a child: it runs, and its socket comes with this; nobody else has the socket; it is gone. */
export type Notice = { id: number; pid: number } | { id: number; isReady: true } | { id: number; ended: string };

interface Spawner {
  process: ChildProcess;
  children: Map<number, Child>;
}

export interface ChildEvents {
  onAnswer(answer: Answer): void;
  /** It is gone, and all it has answered was heard. */
  onLoss(reason: string): void;
}

/** A child process that does tasks of one file. It does not keep this process alive. */
export class Child {
  /** Its number, once it runs. */
  pid: number | undefined;
  /** Settles when it is gone. */
  readonly ended: Promise<void>;
  private readonly id: number;
  private readonly spawner: Spawner;
  private readonly events: ChildEvents;
  private socket: Socket | undefined;
  /** Requests that wait until it has started. */
  private early: Request[] | undefined = [];
  private isReleased = false;
  private settleEnded: () => void = () => {};

  constructor(id: number, spawner: Spawner, events: ChildEvents) {
    this.id = id;
    this.spawner = spawner;
    this.events = events;
    this.ended = new Promise((resolve) => {
      this.settleEnded = resolve;
    });
  }

  send(request: Request): void {
    if (this.early) this.early.push(request);
    // One that is just gone: its loss is about to be told.
    else if (this.socket?.writable) sendMessage(this.socket, request);
  }

  kill(): void {
    order(this.spawner, { kill: this.id });
  }

  /** Lets it end, after what it was sent before it started. */
  release(): void {
    this.isReleased = true;
    if (!this.early) this.socket?.end();
  }

  /** What the spawner says of it. */
  hear(notice: Notice, socket: Socket | undefined): void {
    if ('ended' in notice) this.handleEnd(notice.ended);
    else if ('isReady' in notice) this.sendEarly();
    else if (socket) this.take(notice.pid, socket);
  }

  /** It is gone: what it has answered before is heard first. */
  handleEnd(reason: string): void {
    this.spawner.children.delete(this.id);
    const finish = () => {
      this.settleEnded();
      this.events.onLoss(reason);
    };
    if (!this.socket || this.socket.closed) finish();
    else this.socket.once('close', finish);
  }

  /** What starts and ends children is gone: one that has begun is ended from here, others end by themselves (child.ts). */
  handleOrphaned(reason: string): void {
    // As long as its end of the socket is open, its number is that of no other process.
    if (this.pid !== undefined && this.socket?.readable) killProcess(this.pid);
    this.handleEnd(reason);
  }

  private take(pid: number, socket: Socket): void {
    this.pid = pid;
    this.socket = socket;
    socket.unref();
    // The spawner tells of its end.
    socket.on('error', () => {});
    receiveMessages(socket, (answer) => this.events.onAnswer(answer as Answer));
    // A child answers nothing before it is asked: so nothing of it is read where the socket comes from.
    order(this.spawner, { hasSocket: this.id });
  }

  private sendEarly(): void {
    const early = this.early ?? [];
    this.early = undefined;
    for (const request of early) this.send(request);
    if (this.isReleased) this.socket?.end();
  }
}

let spawner: Spawner | undefined;
let lastId = 0;

/** Starts a child and tells it its file. `args` are arguments of its program, after the number of its parent. */
export function startChild(program: string, file: FileOptions, events: ChildEvents, args: string[] = []): Child {
  const itsSpawner = prepareChildren();
  lastId += 1;
  const child = new Child(lastId, itsSpawner, events);
  itsSpawner.children.set(lastId, child);
  const options = program.endsWith('.ts') ? ['--import', tsxLoader()] : [];
  order(itsSpawner, { start: lastId, options, program, args, priority: yieldingPriority() });
  child.send({ file });
  return child;
}

/** Starts what starts children, if it does not run: the earlier, the less there is to copy. */
export function prepareChildren(): Spawner {
  spawner ??= startSpawner();
  return spawner;
}

function startSpawner(): Spawner {
  const started: Spawner = {
    process: fork(besideThis('spawner.mjs'), [], {
      execArgv: [],
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
    children: new Map(),
  };
  const handleLoss = (reason: string) => {
    if (spawner === started) spawner = undefined;
    for (const child of [...started.children.values()]) child.handleOrphaned(reason);
  };
  started.process.on('message', (notice: Notice, handle) => {
    const socket = handle as Socket | undefined;
    const child = started.children.get(notice.id);
    if (child) child.hear(notice, socket);
    else socket?.destroy();
  });
  started.process.on('error', (error) => handleLoss(error.message));
  started.process.on('exit', (code, signal) => handleLoss(`the process that starts children: exit ${signal ?? code}`));
  started.process.unref();
  started.process.channel?.unref();
  return started;
}

function order({ process }: Spawner, message: Order): void {
  // When it is just gone or could not be started, its event tells it to the children.
  process.send?.(message, () => {});
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** The program of a pool that names none: the one beside this file, as source, run through tsx, or as a bundle. */
export const defaultProgram = { path: besideThis('child.ts') };

/** A program of this folder; in a bundle, the bundle of it beside that. */
function besideThis(name: string): string {
  const moduleUrl = import.meta.url;
  return fileURLToPath(new URL(moduleUrl.endsWith('.ts') ? name : name.replace(/\.m?ts$|\.mjs$/, '.js'), moduleUrl));
}

/** The children need none of our settings, least of all secrets; SQLite sorts in temporary files. */
const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['TMPDIR', 'SQLITE_TMPDIR', 'TEMP', 'TMP', 'SystemRoot'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const tsxLoader = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
