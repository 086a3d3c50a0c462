// The built server in its own process, on a free port, as a newcomer starts it.
import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export const admin = { email: 'ada@example.com', password: 'correct horse' };

/** Settings of a server with an administrator and the sample data. */
export const demo = { SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password, SLUICE_DEMO: '1' };

/** A server process; its data folder stays when it ends. */
export interface Server {
  url: string;
  output(): string;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Starts the built server on a data folder and waits until it answers. */
export async function startServer(dataFolder: string, env: Record<string, string>): Promise<Server> {
  const child = spawn(
    process.execPath,
    [join(root, 'packages/server/dist/main.js'), '--port', '0', '--data', dataFolder],
    {
      cwd: root,
      env: { ...process.env, SLUICE_LOG: 'warn', SLUICE_DRAIN_SECONDS: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that its children can be killed with it.
      detached: true,
    },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid as number), signal);
    } catch {
      // All of it has ended already.
    }
  };
  const killGroup = () => signalGroup('SIGKILL');
  process.once('exit', killGroup);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const url = await readyAt(child, () => output);
  return {
    url,
    output: () => output,
    async end(signal) {
      // An orderly stop is the server's own business; its children are part of that.
      if (signal === 'SIGKILL') signalGroup(signal);
      else child.kill(signal);
      await exited;
      killGroup();
      process.off('exit', killGroup);
    },
  };
}

function readyAt(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output()}`)), 30_000);
    const look = () => {
      const url = /ready at (http\S+)/.exec(output())?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output()}`)));
  });
}
