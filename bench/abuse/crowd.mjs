// A thousand honest callers, in a process of their own: each writes a record to one of the services, or to the platform's
// store, reads it back and waits a while. What was acknowledged is remembered, and told at the end.
// Started with a JSON of { url, services, callers, keyed, manager }; answers 'report' with what happened since the last one,
// and 'end' with all that was acknowledged.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const { url, services, callers, keyed, manager } = JSON.parse(process.argv[2]);
/** Milliseconds between the things one caller does, on average. */
const pause = 10_000;
/** Every so manieth caller writes to the store. */
const managers = 50;

const acknowledged = [];
let tally = emptyTally();
let isOver = false;

function emptyTally() {
  return { done: 0, busy: 0, failed: {}, wrong: [], times: [] };
}

/** A call; an answer that is no success resolves to undefined, once it is counted. */
function call(agent, localAddress, headers, method, path, body) {
  const start = performance.now();
  return new Promise((resolve) => {
    const failed = (reason) => {
      tally.failed[reason] = (tally.failed[reason] ?? 0) + 1;
      resolve(undefined);
    };
    const options = { agent, localAddress, method, headers: { 'Content-Type': 'application/json', ...headers } };
    const sent = request(`${url}/api/v2/${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.once('error', ({ code }) => failed(`${method} ${code}`));
      response.once('end', () => {
        tally.times.push(performance.now() - start);
        if (response.statusCode < 300) {
          tally.done += 1;
          resolve(JSON.parse(text));
        } else if (response.statusCode === 503 || response.statusCode === 429) {
          tally.busy += 1;
          resolve(undefined);
        } else failed(`${method} ${path.split('/')[0]} ${response.statusCode}`);
      });
    });
    sent.once('error', ({ code }) => failed(`${method} ${code}`));
    sent.end(body && JSON.stringify(body));
  });
}

async function honestCaller(index) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const address = `127.1.${index >> 8}.${index & 255}`;
  const isManager = index % managers === 0;
  const headers = isManager ? manager : keyed;
  for (let round = 0; !isOver; round += 1) {
    await sleep(Math.random() * 2 * pause);
    const value = `${index}-${round}`;
    const place = isManager ? 'system' : services[(index + round) % services.length];
    const path = isManager ? 'system/role' : `${place}/_table/kept`;
    const record = isManager ? { name: value, description: value } : { caller: index, value };
    const made = await call(agent, address, headers, 'POST', path, { resource: [record] });
    if (!made) continue;
    const { id } = made.resource[0];
    acknowledged.push({ place, id, value });
    const found = await call(agent, address, headers, 'GET', `${path}/${id}`);
    if (found && (isManager ? found.description : found.value) !== value) tally.wrong.push({ place, id, value, found });
  }
}

const all = Promise.all(Array.from({ length: callers }, (_, index) => honestCaller(index)));
process.on('message', async (wish) => {
  if (wish === 'report') {
    process.send(tally);
    tally = emptyTally();
    return;
  }
  isOver = true;
  await all;
  process.send(acknowledged);
});
process.on('disconnect', () => process.exit());
