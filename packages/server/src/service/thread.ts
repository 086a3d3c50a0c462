import { Piscina } from 'piscina';

/** A program beside the thread that answers calls: its file, and what it may take. */
export interface ThreadOptions {
  filename: string;
  /** The export that runs where a task names none. */
  name?: string;
  /** Megabytes. */
  memory: number;
  /** Milliseconds without work after which the thread ends. */
  idleTimeout: number;
  env?: Record<string, string>;
}

/** One thread, started when there is work. It gets none of our settings, least of all secrets. */
export const createThread = ({ memory, env = {}, ...options }: ThreadOptions): Piscina =>
  new Piscina({
    ...options,
    minThreads: 0,
    maxThreads: 1,
    env,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memory },
    atomics: 'disabled',
    recordTiming: false,
  });
