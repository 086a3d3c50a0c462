// npm run types: checks the types of every package, two at a time; prints only what is wrong.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { run, since, tool } from './run.mjs';

const projects = ['contract', 'client', 'sql', 'server', 'console', 'testkit'].map((name) => `packages/${name}`);
if (existsSync(join(root, 'e2e/tsconfig.json'))) projects.push('e2e');

const waiting = [...projects];
let failed = 0;

async function worker() {
  for (let project = waiting.shift(); project; project = waiting.shift()) {
    const from = performance.now();
    const { code, output } = await run([...tool('typescript', 'tsc'), '-p', project], { quiet: true });
    console.log(`${code === 0 ? 'ok    ' : 'failed'} ${project} (${since(from)})`);
    if (code !== 0) {
      failed += 1;
      console.log(output.trimEnd());
    }
  }
}

await Promise.all([worker(), worker()]);
process.exitCode = failed === 0 ? 0 : 1;
