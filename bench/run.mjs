// npm run bench: what calls, exports and files cost, whether the cost stays flat, how soon the console is there, what nasty calls do
// to others. `npm run bench -- calls` (`export`, `files`, `flat`, `limits`, `scripts`, `console`, `abuse`) measures one of them; `-- against <commit>`
// whether calls cost what they did there. Figures are printed, never asserted; docs/performance.md keeps some.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, staleParts } from '../scripts/build.mjs';
import { measureAbuse } from './abuse.mjs';
import { measureAgainst } from './against.mjs';
import { measureCalls } from './calls.mjs';
import { measureConsole } from './console.mjs';
import { measureExports } from './export.mjs';
import { measureFiles } from './files.mjs';
import { measureFlatness } from './flat.mjs';
import { measureLimits } from './limits.mjs';
import { stopAll } from './programs.mjs';
import { measureScripts } from './scripts.mjs';

const all = {
  calls: measureCalls,
  export: measureExports,
  files: measureFiles,
  flat: measureFlatness,
  limits: measureLimits,
  scripts: measureScripts,
  console: measureConsole,
  abuse: measureAbuse,
};
const parts = process.argv.slice(2);
const commit = parts[0] === 'against' ? parts.splice(0)[1] : undefined;
const unknown = parts.find((name) => !Object.hasOwn(all, name));
if (unknown) {
  console.error(`There is no ${unknown}; choose of ${Object.keys(all).join(', ')}.`);
  process.exit(1);
}

await build(staleParts());
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
try {
  console.log(`Node ${process.version}`);
  if (commit) await measureAgainst(folder, commit);
  else
    for (const [name, measure] of Object.entries(all))
      if (parts.length === 0 || parts.includes(name)) await measure(folder);
} finally {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
}
