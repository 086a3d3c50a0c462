// The baseline of files: Fastify that streams a folder, with no platform in between. Prints its address.
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Fastify from 'fastify';

const { folder } = JSON.parse(process.argv[2]);
const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
app.get('/:name', async ({ params }, reply) => {
  const path = join(folder, params.name);
  const { size } = await stat(path);
  return reply.header('content-length', size).type('application/octet-stream').send(createReadStream(path));
});
app.post('/:name', async ({ params, body }, reply) => {
  await pipeline(body, createWriteStream(join(folder, params.name), { flush: true }));
  return reply.code(201).send({ name: params.name });
});
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(`ready at http://127.0.0.1:${app.server.address().port}`);
process.on('SIGTERM', () => process.exit(0));
