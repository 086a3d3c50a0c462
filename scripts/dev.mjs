// npm run dev: the server from source with sample data and the console with hot reload. Ctrl-C ends both.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { install, requireNode, root } from './prepare.mjs';
import { tool } from './run.mjs';

requireNode();
install();

const data = join(root, '.cache/dev-data');
mkdirSync(data, { recursive: true });
const port = process.env.SLUICE_PORT ?? '8080';
const env = {
  SLUICE_DATA: data,
  SLUICE_DEMO: '1',
  SLUICE_LOG_FORMAT: 'pretty',
  SLUICE_ADMIN_EMAIL: 'dev@example.com',
  SLUICE_ADMIN_PASSWORD: 'development',
  ...process.env,
  SLUICE_PORT: port,
  SLUICE_DEV_SERVER: `http://127.0.0.1:${port}`,
};
console.log(
  `The console is on http://localhost:5173, the server on ${env.SLUICE_DEV_SERVER}; data in ${env.SLUICE_DATA}.`,
);
console.log(`A fresh instance has the administrator ${env.SLUICE_ADMIN_EMAIL}, password ${env.SLUICE_ADMIN_PASSWORD}.`);

const parts = [
  { command: [...tool('tsx'), 'watch', '--clear-screen=false', 'packages/server/src/main.ts'], cwd: root },
  { command: [...tool('vite'), '--clearScreen', 'false'], cwd: join(root, 'packages/console') },
].map(({ command: [file, ...args], cwd }) => spawn(file, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }));

let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  for (const part of parts) part.kill('SIGTERM');
};
// Ctrl-C reaches the parts by itself; a second signal would make them break off instead of closing.
process.on('SIGINT', () => process.stdin.isTTY || stop());
process.on('SIGTERM', stop);
for (const part of parts) {
  part.once('exit', (code) => {
    process.exitCode ??= code ?? 0;
    stop();
  });
}
