import { expect, it } from 'vitest';
import { parseFairly, type Sender } from './index.ts';

const body = (name: string, megabytes = 1) =>
  Buffer.from(`<a><name>${name}</name>${'<!---->'.repeat(megabytes * 150_000)}</a>`);
const sender = (callerKey: string, signal = new AbortController().signal): Sender => ({ callerKey, signal });

it('abuse: a caller with many bodies lets one of another caller come second', async () => {
  const order: unknown[] = [];
  const parse = async (name: string, from: Sender) =>
    order.push(await parseFairly(body(name), 'text/xml', false, from));
  const [ann, joe] = [sender('ann'), sender('joe')];
  await Promise.all([parse('joe 1', joe), parse('joe 2', joe), parse('joe 3', joe), parse('ann 1', ann)]);
  expect(order).toEqual([{ name: 'joe 1' }, { name: 'joe 2' }, { name: 'ann 1' }, { name: 'joe 3' }]);
});

it('abuse: a body whose sender went away is not parsed', async () => {
  const gone = new AbortController();
  const first = parseFairly(body('first'), 'text/xml', false, sender('joe'));
  const second = parseFairly(body('second'), 'text/xml', false, sender('joe', gone.signal));
  gone.abort();
  await expect(second).rejects.toMatchObject({ key: 'http.bodyBroken' });
  expect(await first).toEqual({ name: 'first' });
});
