import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { SchemaGate } from './schema-gate.ts';

it('holds what was read back while any change becomes visible', async () => {
  const raised = vi.fn();
  const gate = new SchemaGate(raised);
  const { version } = gate;
  expect(gate.holds(version)).toBe(true);
  const [finish, finishOther] = [gate.beginCommit(), gate.beginCommit()];
  const answers: boolean[] = [];
  const holding = Promise.resolve(gate.holds(version)).then((holds) => answers.push(holds));
  gate.raise();
  finish();
  finish();
  await wait(1);
  expect(answers).toEqual([]);
  expect(gate.pending).toBeDefined();
  finishOther();
  await holding;
  expect(answers).toEqual([false]);
  expect(gate.pending).toBeUndefined();
  expect(raised).toHaveBeenCalledTimes(1);
});

it('a call that met the first steps of a change waits for its end', async () => {
  const gate = new SchemaGate();
  const { version } = gate;
  expect(await gate.changesFrom(version)).toBe(false);
  let end = () => {};
  const change = gate.change(async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    gate.raise();
  }, 'one');
  await wait(1);
  const waiting = gate.changesFrom(version);
  end();
  expect(await waiting).toBe(true);
  await change;
});

it('changes pass one after the other, also past one that fails, and no more than fifty wait', async () => {
  const gate = new SchemaGate();
  const order: number[] = [];
  const changes = Array.from({ length: 51 }, (_, n) =>
    gate.change(
      async () => {
        order.push(n);
        await wait(0);
        order.push(n);
        if (n === 0) throw new Error('no');
      },
      `caller ${n % 3}`,
    ),
  );
  await expect(gate.change(async () => {}, 'another')).rejects.toMatchObject({ key: 'database.overloaded' });
  const outcomes = await Promise.allSettled(changes);
  expect(outcomes.map(({ status }) => status).indexOf('rejected')).toBe(0);
  expect(order).toEqual(Array.from({ length: 102 }, (_, n) => Math.floor(n / 2)));
});

it('abuse: changes of one caller leave places to others, and hold them up by the one that runs', async () => {
  const gate = new SchemaGate();
  const order: string[] = [];
  const change = (caller: string) =>
    gate.change(async () => {
      await wait(0);
      order.push(caller);
    }, caller);
  const own = Array.from({ length: 21 }, () => change('one'));
  await expect(change('one')).rejects.toMatchObject({ key: 'database.ownWaiting', status: 429, retryAfter: 5 });
  await change('other');
  expect(order).toEqual(['one', 'other']);
  await Promise.all(own);
  await gate.change(async () => {}, 'one');
});

it('abuse: a change whose caller went away is not carried out, and leaves its place to others', async () => {
  const gate = new SchemaGate();
  const order: string[] = [];
  const gone = new AbortController();
  const change = (name: string, signal?: AbortSignal) =>
    gate.change(
      async () => {
        await wait(0);
        order.push(name);
      },
      name,
      signal,
    );
  const [first, leaving, next] = [change('first'), change('leaving', gone.signal), change('next')];
  gone.abort();
  await expect(leaving).rejects.toMatchObject({ key: 'database.cancelled' });
  await Promise.all([first, next]);
  expect(order).toEqual(['first', 'next']);
});
