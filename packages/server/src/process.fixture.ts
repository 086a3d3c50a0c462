// The built server in a process of its own, on a free port; only for tests, whose run builds it (scripts/built-server.mjs).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface TestProcess {
  url: string;
  /** Seconds of CPU that its main thread has taken, to the hundredth. */
  mainThreadTime(): number;
  /** Its resident memory in MB. */
  memory(): number;
  /** What the terminal said. */
  output(): string;
  /** Calls the API under `/api/v2/` as the owner of the token and the key; answers status and parsed body. */
  ask(verb: string, path: string, request?: ProcessRequest): Promise<ProcessResponse>;
  /** Ends it as `signal` would; answers the code it ended with. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ProcessRequest {
  body?: unknown;
  token?: string;
  key?: string;
}

export interface ProcessResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Starts a server with these settings alone; rejects with what it said when it ends instead. */
export async function startProcess(settings: Record<string, string>): Promise<TestProcess> {
  const others = Object.entries(process.env).filter(([name]) => !/^(SLUICE_|NODE_OPTIONS|VITEST)/.test(name));
  const child = spawn(process.execPath, [main], {
    env: {
      ...Object.fromEntries(others),
      SLUICE_PORT: '0',
      SLUICE_LOG: 'warn',
      SLUICE_DRAIN_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const url = await waitUntilReady(child, () => output);
  return {
    url,
    mainThreadTime() {
      const times = readFileSync(`/proc/${child.pid}/task/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(times[11]) + Number(times[12])) / 100;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    output: () => output,
    async ask(verb, path, { body, token, key } = {}) {
      const response = await fetch(`${url}/api/v2/${path}`, {
        method: verb,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token ? { 'x-dreamfactory-session-token': token } : {}),
          ...(key ? { 'x-dreamfactory-api-key': key } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

function waitUntilReady(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`not ready in time:\n${output()}`));
    }, 50_000);
    child.stdout?.on('data', () => {
      const url = /ready at (http\S+)/.exec(output())?.[1];
      if (url === undefined) return;
      clearTimeout(giveUp);
      resolve(url);
    });
    child.once('exit', (code) => {
      clearTimeout(giveUp);
      reject(new Error(`ended with ${code}:\n${output()}`));
    });
  });
}
