// How a process ends: nothing is cut, and those who share the work take over in time.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { soakCases } from '@sluice/testkit/soak';
import { expect, it } from 'vitest';
import { startProcess, type TestProcess } from '../process.fixture.ts';

it('abuse: two processes that are restarted in turn under load cut nobody off', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-stopping-'));
  const start = () => startProcess({ SLUICE_DATA: folder, SLUICE_DRAIN_SECONDS: '1' });
  const processes: TestProcess[] = [await start(), await start()];
  let ready = [...processes];
  let isOver = false;
  const failures: string[] = [];
  let answered = 0;
  try {
    // What a proxy does: asks who is ready, and sends calls there.
    const proxy = (async () => {
      while (!isOver) {
        const states = await Promise.all(
          processes.map(async (one) => ((await ask(one, '/readyz')) === 200 ? [one] : [])),
        );
        ready = states.flat();
        await wait(50);
      }
    })();
    const callers = Array.from({ length: 24 }, async (_, caller) => {
      const agents = new Map<TestProcess, Agent>();
      for (let call = caller; !isOver; call++) {
        const one = ready[call % Math.max(ready.length, 1)];
        if (!one) {
          failures.push('nobody was ready');
          await wait(50);
          continue;
        }
        const agent = agents.get(one) ?? new Agent({ keepAlive: true, maxSockets: 1 });
        agents.set(one, agent);
        const status = await ask(one, '/api/v2/system/environment', agent);
        if (status === 200) answered++;
        else failures.push(String(status));
      }
      for (const agent of agents.values()) agent.destroy();
    });
    for (const place of soakCases([0, 1], [0, 1])) {
      const ended = await (processes[place] as TestProcess).stop();
      expect(ended).toBe(0);
      processes[place] = await start();
      await expect.poll(() => ready.length).toBe(2);
    }
    isOver = true;
    await Promise.all([proxy, ...callers]);
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(500);
  } finally {
    isOver = true;
    await Promise.all(processes.map((one) => one.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
});

it('abuse: connections that send nothing or half a request do not hold up the end, and calls in flight are answered', {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-stopping-'));
  const one = await startProcess({ SLUICE_DATA: folder, SLUICE_STOP_SECONDS: '15' });
  const { port } = new URL(one.url);
  const received: string[] = [];
  const open = (first: string) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port) }).on('error', () => {});
    const place = received.push('') - 1;
    socket.on('data', (data) => (received[place] = `${received[place]}${data}`));
    socket.write(first);
    return socket;
  };
  const silent = open('');
  const half = open('GET /readyz HTTP/1.1\r\nHost: x\r\n');
  const again = open('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\n');
  const body = '{"email":"nobody@example.com","password":"none"}';
  const call = open(
    `POST /api/v2/user/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  try {
    await expect.poll(() => received[2]).toMatch(/^HTTP\/1.1 200 /);
    const ended = one.stop();
    // Longer than a head may take to arrive.
    await wait(2000);
    call.write(body);
    expect(await ended).toBe(0);
    expect(received[3]).toMatch(/^HTTP\/1.1 40[01] /);
    expect(received.slice(0, 2)).toEqual(['', '']);
  } finally {
    for (const socket of [silent, half, again, call]) socket.destroy();
    await one.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The status of a call, or why there was none. */
const ask = ({ url }: TestProcess, path: string, agent?: Agent): Promise<number | string> =>
  new Promise((resolve) => {
    get(`${url}${path}`, { ...(agent && { agent }) }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', ({ message }) => resolve(message));
      response.resume();
    }).on('error', ({ message }) => resolve(message));
  });
