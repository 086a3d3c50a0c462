// How a process ends: nothing is cut, and those who share the work take over in time.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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
    for (const place of [0, 1, 0, 1]) {
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

/** The status of a call, or why there was none. */
const ask = ({ url }: TestProcess, path: string, agent?: Agent): Promise<number | string> =>
  new Promise((resolve) => {
    get(`${url}${path}`, { ...(agent && { agent }) }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', ({ message }) => resolve(message));
      response.resume();
    }).on('error', ({ message }) => resolve(message));
  });
