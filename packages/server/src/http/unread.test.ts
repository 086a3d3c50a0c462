// Answers that callers do not read: what they may hold of the process's memory, and for how long.
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RawInstance, startRawInstance } from './answering.fixture.ts';

const megabyte = 1024 * 1024;
let instance: RawInstance;
const sockets: Socket[] = [];
beforeEach(async () => {
  instance = await startRawInstance({ answerMemory: 64 * megabyte });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await instance.stop();
});

/** Asks for an answer that is not read; strangers come from an address of their own. */
function askAndPause(path: string, headers = ''): Socket {
  const socket = connect({ host: '127.0.0.1', port: instance.port });
  sockets.push(socket.on('error', () => {}));
  socket.pause();
  socket.write(`GET /api/v2/raw/${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  return socket;
}

const asAdmin = () => `X-DreamFactory-Session-Token: ${instance.token}\r\n`;

describe('answers that nobody reads', () => {
  it('abuse: hold half of the memory for answers at most for one caller, whose next call is refused before it is handled', async () => {
    let handled = 0;
    instance.answer(({ path }) => {
      handled++;
      return { body: { value: path === 'small' ? 1 : 'x'.repeat(20 * megabyte) } };
    });
    askAndPause('large', asAdmin());
    await expect.poll(() => instance.answers.bytes).toBeGreaterThan(10 * megabyte);
    const second = await instance.ask('GET', 'large');
    expect([second.status, second.headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(second.text).error.message).toBe(
      `Answers to you that you have not read yet have more than ${32 * megabyte} bytes together, the most one caller may have.`,
    );
    expect((await instance.ask('GET', 'small')).status).toBe(200);
    expect(instance.answers.bytes).toBeLessThan(21 * megabyte);
    const before = handled;
    instance.answer(() => ({ body: { value: 'x'.repeat(11 * megabyte) } }));
    askAndPause('more', asAdmin());
    await expect.poll(() => instance.answers.bytes).toBeGreaterThan(22 * megabyte);
    expect(before).toBe(3);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => instance.answers.bytes).toBe(0);
  });

  it('abuse: hold no more of all callers than the limit; an answer that is larger than it goes out alone', async () => {
    const text = 'ü"'.repeat(20 * megabyte);
    instance.answer(() => ({ body: { text, type: 'text/plain; charset=utf-8' } }));
    const whole = await instance.ask('GET', 'alone');
    expect([whole.status, whole.headers['content-length'], whole.text === text]).toEqual([
      200,
      `${60 * megabyte}`,
      true,
    ]);
    await expect.poll(() => instance.answers.bytes).toBe(0);
    askAndPause('admin', asAdmin());
    await expect.poll(() => instance.answers.bytes).toBeGreaterThan(40 * megabyte);
    const stranger = connect({ host: '127.0.0.1', port: instance.port });
    sockets.push(stranger);
    let received = '';
    stranger.on('data', (chunk) => (received += chunk));
    stranger.write('GET /api/v2/raw/stranger HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await expect.poll(() => received).toContain('As many bytes of answers are in memory as may be.');
    expect(received).toMatch(/^HTTP\/1.1 503 .*retry-after: 5/is);
  });

  it('abuse: are broken off when they are read slower than 1 KB a second', async () => {
    instance.answer(() => ({ body: { value: 'x'.repeat(20 * megabyte) } }));
    askAndPause('never', asAdmin());
    await expect.poll(() => instance.answers.bytes).toBeGreaterThan(10 * megabyte);
    await instance.unread();
    const now = performance.now();
    instance.slowReaders.sweep(now);
    instance.slowReaders.sweep(now + 59_000);
    expect(instance.slowReaders.brokenOff.slow).toBe(0);
    instance.slowReaders.sweep(now + 61_000);
    expect(instance.slowReaders.brokenOff.slow).toBe(1);
    await expect.poll(() => instance.answers.bytes).toBe(0);
  });

  it('abuse: are broken off sooner when there is no room for another', async () => {
    instance.answer(() => ({ body: { value: 'x'.repeat(50 * megabyte) } }));
    askAndPause('never', asAdmin());
    await expect.poll(() => instance.answers.bytes).toBeGreaterThan(40 * megabyte);
    await instance.unread();
    const now = performance.now();
    for (const seconds of [0, 5, 10]) {
      instance.slowReaders.sweep(now + seconds * 1000);
      await wait(50);
    }
    expect(instance.slowReaders.brokenOff.forRoom).toBe(0);
    const answer = await instance.head(
      instance.begin('next', { headers: { 'x-dreamfactory-session-token': '' } }).end(),
    );
    expect([answer.statusCode, instance.slowReaders.brokenOff]).toEqual([200, { slow: 0, forRoom: 1 }]);
    answer.resume();
    await expect.poll(() => instance.answers.bytes).toBe(0);
  });

  it('abuse: are not those of a reader who takes their time', async () => {
    const size = 20 * megabyte;
    instance.answer(() => ({ body: { value: 'x'.repeat(size) } }));
    const response: IncomingMessage = await instance.head(instance.begin('slow').end());
    let now = performance.now();
    let read = 0;
    for await (const chunk of response) {
      read += chunk.length;
      now += 200;
      instance.slowReaders.sweep(now);
    }
    expect(read).toBe(size + 2);
  });
});
