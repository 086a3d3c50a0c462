// A Redis to test with.
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, ownFolder } from './own-server.ts';
import { findProgram, launch } from './programs.ts';

export const redisInstallLine = 'apt-get install -y --no-install-recommends redis-server';
const program = () => findProgram('redis-server', ['/usr/bin', '/usr/local/bin']);

/** URL of a Redis: TEST_REDIS_URL, else the one on 127.0.0.1:6379, else one of our own; undefined when there is none. */
export async function findRedis(): Promise<string | undefined> {
  if (process.env.TEST_REDIS_URL) return process.env.TEST_REDIS_URL;
  if (await localRedis()) return 'redis://127.0.0.1:6379';
  return (await startRedis())?.url;
}

/** A Redis of the tests' own; undefined when its program is not installed. */
export async function startRedis(): Promise<{ url: string; remove(): Promise<void> } | undefined> {
  const file = program();
  if (!file) return undefined;
  const { folder, account, forget } = ownFolder('redis');
  const port = await freePort();
  const command = [file, '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', `${folder}/`];
  const running = launch(command, folder, account);
  process.once('exit', () => {
    running.child.kill('SIGKILL');
    forget();
  });
  for (const limit = Date.now() + 20_000; Date.now() < limit; await wait(50)) {
    if (!(await answers(port))) continue;
    running.letGo();
    const remove = async () => {
      running.hold();
      running.child.kill('SIGKILL');
      await running.ended;
      forget();
    };
    return { url: `redis://127.0.0.1:${port}`, remove };
  }
  throw new Error(`Redis does not start: ${running.output()}`);
}

export const localRedis = () => answers(6379);

/** Whether a Redis that wants no password answers on the port. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    const answer = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(2000, () => answer(false));
    socket.once('data', (data) => answer(data.toString().startsWith('+PONG'))).once('error', () => answer(false));
  });
}
