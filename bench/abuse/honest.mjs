// An honest caller, in a process of its own: reads one record by its key all the time, and tells how long it took. Started
// with the address and the headers; answers 'how long' with the milliseconds of each read since it was last asked.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [url, headers] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const options = { agent, headers: JSON.parse(headers), localAddress: '127.0.0.2' };
let reads = [];

const read = () =>
  new Promise((resolve) => {
    const start = performance.now();
    const end = (status) => resolve({ status, milliseconds: performance.now() - start });
    request(url, options, (response) => response.resume().once('end', () => end(response.statusCode)))
      .once('error', ({ code }) => end(code))
      .end();
  });

process.on('message', () => {
  process.send(reads);
  reads = [];
});
process.on('disconnect', () => process.exit());
for (;;) {
  reads.push(await read());
  await sleep(5);
}
