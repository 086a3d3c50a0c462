import { afterAll, expect, it } from 'vitest';
import { createBodyParser, type Sender } from './index.ts';

const parser = createBodyParser(10 * 1024 * 1024, () => {});
afterAll(() => parser.close());

const body = (name: string, megabytes = 1) =>
  Buffer.from(`<a><name>${name}</name>${'<!---->'.repeat(megabytes * 150_000)}</a>`);
const sender = (callerKey: string, signal = new AbortController().signal): Sender => ({ callerKey, signal });
const parse = async (bytes: Buffer, from: Sender) => parser.parse(bytes, 'text/xml', false, from);

it('abuse: a caller with many bodies lets one of another caller come second', async () => {
  const order: unknown[] = [];
  const send = async (name: string, from: Sender) => order.push(await parse(body(name), from));
  const [ann, joe] = [sender('ann'), sender('joe')];
  await Promise.all([send('joe 1', joe), send('joe 2', joe), send('joe 3', joe), send('ann 1', ann)]);
  expect(order).toEqual([{ name: 'joe 1' }, { name: 'ann 1' }, { name: 'joe 2' }, { name: 'joe 3' }]);
});

it('abuse: a body whose sender went away is not parsed', async () => {
  const gone = new AbortController();
  const first = parse(body('first'), sender('joe'));
  const second = parse(body('second'), sender('joe', gone.signal));
  gone.abort();
  await expect(second).rejects.toMatchObject({ key: 'http.bodyBroken' });
  expect(await first).toEqual({ name: 'first' });
});

it('abuse: a body that takes the thread too long is refused', async () => {
  const impatient = createBodyParser(10 * 1024 * 1024, () => {}, 1);
  try {
    const long = impatient.parse(body('long', 5), 'text/xml', false, sender('joe'));
    await expect(long).rejects.toMatchObject({ key: 'http.bodyTooCostly' });
  } finally {
    await impatient.close();
  }
});

it('abuse: parts whose boundary says json are parsed by the thread, as others are', async () => {
  const content = `--json\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(20_000)}\r\n--json--`;
  const parsed = parser.parse(Buffer.from(content), 'multipart/form-data; boundary=json', false, sender('joe'));
  // Parts are parsed asynchronously anyway: what tells is that a second body waits for the first.
  const gone = new AbortController();
  const second = parser.parse(
    Buffer.from(content),
    'multipart/form-data; boundary=json',
    false,
    sender('joe', gone.signal),
  );
  gone.abort();
  await expect(second).rejects.toMatchObject({ key: 'http.bodyBroken' });
  expect(await parsed).toMatchObject({ a: 'x'.repeat(20_000) });
});

it('a failure and a value of any kind come back from the thread as they are', async () => {
  const list = `[${'0,'.repeat(20_000)}-0,1e99,null,true,"\\u00fc",{"a":[]}]`;
  expect(await parser.parse(Buffer.from(list), '', false, sender('joe'))).toEqual(JSON.parse(list));
  const exact = Buffer.from(`{"a":"${'x'.repeat(20_000)}","b":[1.23456789012345678901]}`);
  expect(await parser.parse(exact, '', false, sender('joe'))).toHaveProperty('b.0.text', '1.23456789012345678901');
  const broken = parse(Buffer.from(`${' '.repeat(20_000)}<a>`), sender('joe'));
  await expect(broken).rejects.toMatchObject({ key: 'http.malformed', status: 400 });
});
