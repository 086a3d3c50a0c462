// Files up and down, small and large: the CPU of a file service beside that of a bare Fastify stream. Ratios are the bare
// program's CPU over ours, the middle of several turns of each.
import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { cpuOf, median } from './measure.mjs';
import { startBare, startSluice, stop } from './programs.mjs';

const workloads = [
  { label: '10 KB', size: 10_000, calls: 500 },
  { label: '100 MB', size: 100_000_000, calls: 2 },
];
const turns = 5;

/** Prints CPU per call of both programs, and the ratio. */
export async function measureFiles(folder) {
  console.log('\nFiles: CPU per call in milliseconds, bare / Sluice / ratio\n');
  const place = join(folder, 'bare-files');
  mkdirSync(place);
  const bare = await startBare('files', { folder: place });
  const sluice = await startSluice(join(folder, 'data-files'));
  const programs = [
    { pid: bare.pid, url: (name) => `${bare.url}/${name}`, headers: {} },
    { pid: sluice.pid, url: (name) => `${sluice.url}/api/v2/files/${name}`, headers: sluice.asAdmin },
  ];
  try {
    for (const { label, size, calls } of workloads)
      for (const method of ['POST', 'GET']) {
        const costs = programs.map(() => []);
        // The first turn compiles the code, and makes the file.
        for (let turn = 0; turn <= turns; turn++)
          for (const [index, program] of programs.entries()) {
            const before = cpuOf(program.pid);
            for (let call = 0; call < calls; call++) await transfer(program, method, size);
            if (turn > 0) costs[index].push(((cpuOf(program.pid) - before) / calls) * 1000);
          }
        const [theirs, ours] = costs.map(median);
        const name = `${label} ${method === 'POST' ? 'up' : 'down'}`;
        console.log(`${name.padEnd(12)} ${theirs.toFixed(2)} / ${ours.toFixed(2)} / ${(theirs / ours).toFixed(2)}`);
      }
  } finally {
    await Promise.all([stop(bare), stop(sluice)]);
  }
}

const chunk = Buffer.alloc(65_536, 'x');

function transfer({ url, headers }, method, size) {
  return new Promise((resolve, reject) => {
    const isUpload = method === 'POST';
    const sent = request(url(`file${size}`), {
      method,
      headers: {
        ...headers,
        ...(isUpload ? { 'content-type': 'application/octet-stream', 'content-length': size } : {}),
      },
    });
    sent.on('error', reject).on('response', (response) => {
      if (response.statusCode >= 300) reject(new Error(`${method}: ${response.statusCode}`));
      response.on('error', reject).on('end', resolve).resume();
    });
    let left = isUpload ? size : 0;
    const write = () => {
      while (left > 0) {
        const part = chunk.subarray(0, left);
        left -= part.length;
        if (!sent.write(part)) return sent.once('drain', write);
      }
      sent.end();
    };
    write();
  });
}
