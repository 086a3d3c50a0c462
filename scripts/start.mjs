// npm start: installs if needed, builds if stale, then is the server. Flags go to the server: npm start -- --port 9000
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, staleParts } from './build.mjs';
import { install, requireNode, root } from './prepare.mjs';

requireNode();

const stale = staleParts();
// Building needs the tools, a finished build only what the server itself imports: `npm ci --omit=dev` is enough then.
install({ dev: stale.length > 0 });
await build(stale).catch((error) => {
  console.error(`The build failed: ${error.message}`);
  process.exit(1);
});

// In this process rather than in a child: signals, exit code and output are the server's own, with nothing to forward.
const main = join(root, 'packages/server/dist/main.js');
process.argv[1] = main;
await import(pathToFileURL(main).href);

// npm runs us below a shell that dies of a signal without passing it on: `kill` on npm would leave the server behind.
if (process.env.npm_lifecycle_event && process.platform !== 'win32') {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
