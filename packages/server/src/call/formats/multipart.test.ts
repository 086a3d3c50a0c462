import { Busboy } from '@fastify/busboy';
import { expect, it, vi } from 'vitest';
import { parseMultipart } from './multipart.ts';

const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`;
const parse = (text: string, maxNames: number) =>
  parseMultipart(Buffer.from(text), 'multipart/form-data; boundary=x', maxNames);

it('reads fields, the first of a name', async () => {
  expect(await parse(`${part('a')}${part('b')}${part('a')}--x--`, 3)).toEqual({ a: '1', b: '1' });
});

it('abuse: reads no further than to the first field too many', async () => {
  const write = vi.spyOn(Busboy.prototype, 'write');
  await expect(parse(`${part('a').repeat(1200)}--x--`, 100)).rejects.toMatchObject({ key: 'http.tooManyNames' });
  const read = write.mock.calls.reduce((sum, [bytes]) => sum + (bytes as Buffer).length, 0);
  expect(read).toBeLessThan(part('a').length * 100 + 4096);
});
