// A built server in its own process, known by its folder and its settings alone, so that any version can be one.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../databases/own-server.ts';

export interface Instance {
  url: string;
  /** When it was started, in milliseconds. */
  startedAt: number;
  /** The code that the terminal shows while there is no administrator. */
  setupCode: string | undefined;
  /** What the terminal has said. */
  output(): string;
  stop(): Promise<void>;
}

const startLimit = 60_000;

/** Starts the server that was built in a checkout, with an empty data folder at `data`; resolves when it is ready. */
export async function startInstance(
  checkout: string,
  data: string,
  settings: Record<string, string>,
): Promise<Instance> {
  const program = join(checkout, 'packages/server/dist/main.js');
  if (!existsSync(program)) throw new Error(`${program} is not built`);
  mkdirSync(data, { recursive: true });
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_'));
  const startedAt = Date.now();
  const port = await freePort();
  const child = spawn(process.execPath, [program], {
    // The environment of the instance tells its working folder.
    cwd: data,
    env: {
      ...Object.fromEntries(environment),
      SLUICE_PORT: String(port),
      SLUICE_DATA: data,
      SLUICE_LOG: 'warn',
      SLUICE_LOG_FORMAT: 'json',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), startLimit);
    const look = (chunk: Buffer) => {
      output += chunk;
      if (!/ready at .*\n/s.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    startedAt,
    setupCode: /set-up code (\S+)/.exec(output)?.[1],
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(kill, 20_000);
      await ended;
      clearTimeout(timer);
      process.off('exit', kill);
    },
  };
}
