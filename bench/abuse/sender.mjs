// Sends nasty calls from a process of its own, which leaves the two cores to the server: callers have their own. Started with
// the world; a message names a call of the corpus and a service, its answer has the statuses.
import { setPriority } from 'node:os';
import { databaseCalls, platformCalls } from './corpus.mjs';
import { send } from './send.mjs';

const world = JSON.parse(process.argv[2]);
const calls = new Map([...databaseCalls, ...platformCalls].map((call) => [call.name, call]));

setPriority(10);
process.on('message', async ({ id, name, service }) => {
  process.send({ id, statuses: await send(world, calls.get(name), service) });
});
process.on('disconnect', () => process.exit());
