// A table as a download: how much memory the server needs meanwhile, process tree and all, for a hundred thousand rows
// and for a million.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engines } from './databases.mjs';
import { cpuOf, memoryOf } from './measure.mjs';
import { addService, limitedUser, startSluice, stop } from './programs.mjs';

const sizes = (process.env.BENCH_EXPORT ?? '100000,1000000').split(',').map(Number);

/** Prints growth of memory, size and time of each export. */
export async function measureExports(folder) {
  console.log('\nExports by file=: growth of resident memory over that before the call, at its highest\n');
  console.log('engine      rows     format   growth MB   answer MB   seconds   CPU s');
  for (const [name, engine] of Object.entries(engines)) {
    if (await engine.unavailable()) continue;
    for (const rows of sizes) {
      const database = await engine.make(folder, `export${rows}`, rows);
      try {
        for (const format of ['json', 'csv']) await measure(name, database, rows, format, folder);
      } finally {
        await database.drop();
      }
    }
  }
}

async function measure(name, { config }, rows, format, folder) {
  const sluice = await startSluice(join(folder, `data-export-${name}-${rows}-${format}`));
  try {
    const headers = await limitedUser(sluice, await addService(sluice, { type: name, config }));
    const url = `${sluice.url}/api/v2/bench/_table/contact`;
    // What any list needs once is not the export's: connections, compiled code.
    for (let n = 0; n < 200; n++) await (await fetch(`${url}?limit=1000`, { headers })).arrayBuffer();
    await sleep(1000);
    const before = memoryOf(sluice.pid);
    const cpuBefore = cpuOf(sluice.pid);
    let highest = before;
    const watch = setInterval(() => {
      highest = Math.max(highest, memoryOf(sluice.pid));
    }, 20);
    const start = performance.now();
    const response = await fetch(`${url}?file=all.${format}`, { headers });
    let [bytes, lines] = [0, 0];
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (format === 'csv') lines += chunk.reduce((sum, byte) => sum + Number(byte === 10), 0);
    }
    clearInterval(watch);
    if (format === 'csv' && lines !== rows + 1) throw new Error(`${lines} lines of ${rows} rows`);
    console.log(
      [
        engines[name].label.padEnd(11),
        String(rows).padStart(8),
        format.padStart(8),
        (highest - before).toFixed(0).padStart(11),
        (bytes / 1e6).toFixed(1).padStart(11),
        ((performance.now() - start) / 1000).toFixed(1).padStart(9),
        (cpuOf(sluice.pid) - cpuBefore).toFixed(1).padStart(7),
      ].join(' '),
    );
  } finally {
    await stop(sluice);
  }
}
