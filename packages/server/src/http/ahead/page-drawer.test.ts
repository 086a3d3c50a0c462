// Pages drawn before they are sent: what the thread may do, and what happens when it does not. The thread here is made up; the
// console's own is tried by e2e/opening.e2e.ts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const html =
  '<!-- drawn --><script type="module" crossorigin src="/assets/main.js"></script><!-- preload --><u><!-- ahead --></u>';

/** Does as the address says: draws, asks for something first, hangs or breaks. */
const thread = `
export const prepare = async () => ['/home'];
export const draw = async ({ page: { address, cookie, nonce }, port }) => {
  const answered = new Map();
  port.on('message', ({ call, answer }) => answered.get(call)(answer));
  const ask = (url, headers) => new Promise((resolve) => {
    const call = answered.size;
    answered.set(call, resolve);
    port.postMessage({ call, url, headers });
  });
  const query = new URL(address, 'http://a.invalid').searchParams;
  const token = /CurrentUserObj=([^;]*)/.exec(cookie)[1];
  const urls = query.getAll('ask');
  const answers = await Promise.all(urls.map((url) => ask(url, token ? { 'X-DreamFactory-Session-Token': token } : {})));
  if (query.has('break')) throw new Error('broken');
  if (query.has('crash')) process.nextTick(() => { throw new Error('crashed'); });
  else if (query.has('hang')) for (;;);
  else return 'page ' + nonce + ' ' + answers.map((answer) => answer?.status ?? 'none').join(' ');
  return new Promise(() => {});
};
`;

let platform: TestPlatform;
let folder: string;
let token: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-drawer-'));
  mkdirSync(join(folder, '.page-ahead'));
  writeFileSync(join(folder, 'index.html'), html);
  writeFileSync(join(folder, '.page-ahead/thread.js'), thread);
  writeFileSync(join(folder, '.page-ahead/package.json'), '{"type":"module"}');
  platform = await startPlatform({ consoleFolder: folder });
  token = platform.adminToken;
  await untilDrawn();
});
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

const cookieFor = (session: string) => `CurrentUserObj=${session}; SluiceView=x`;
const page = async (address: string, cookie = cookieFor(token), verb = 'GET') =>
  (await platform.ask(verb, address, { headers: { accept: 'text/html', cookie } })).text;
const drawnOf = (text: string) => /<u><div data-ahead>(.*)<\/div>/.exec(text)?.[1];

/** The first pages go out while the thread is starting. */
async function untilDrawn() {
  await vi.waitFor(async () => expect(drawnOf(await page('/home'))).toBeDefined(), { timeout: 20_000 });
}

it('a page is drawn, and comes with what its calls were answered; scripts are loaded, not run', async () => {
  const url = '/api/v2/system/environment';
  const text = await page(`/home?ask=${url}`);
  expect(drawnOf(text)).toMatch(/^page [\w+/=]{24} 200$/);
  const answers = JSON.parse(/id="first-answers">(.*?)<\/script>/.exec(text)![1]!);
  expect(answers[url]).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('json') } });
  expect(text).toContain('<meta name="sluice-drawn" content="/assets/main.js" />');
  expect(text).toContain('<link rel="preload" as="script" crossorigin href="/assets/main.js">');
  expect(text).not.toContain('type="module"');
});

it.each([
  ['another section', '/users', undefined],
  ['nobody signed in', '/home', 'SluiceView=x'],
  ['a browser that tells nothing of its view', '/home', 'CurrentUserObj=x'],
])('nothing is drawn for %s', async (_what, address, cookie) => {
  const text = await page(address, cookie);
  expect(drawnOf(text)).toBeUndefined();
  expect(text).toContain('type="module"');
});

it('HEAD draws nothing', async () => {
  expect(await page('/home', undefined, 'HEAD')).toBe('');
});

it('abuse: calls for a page come by the door of all calls, with what the cookie has', async () => {
  const path = '/home?ask=/api/v2/system/user&ask=/api/v2/system/environment';
  expect(drawnOf(await page(path))).toMatch(/ 200 200$/);
  expect(drawnOf(await page(path, cookieFor('forged')))).toMatch(/ 401 401$/);
  const { id } = await platform.create('user', { email: 'drawn@example.com', name: 'Drawn', is_active: true });
  const userToken = await platform.tokenOf(id);
  expect(drawnOf(await page(path, cookieFor(userToken)))).toMatch(/ 400 200$/);
});

it.each([
  ['an address that is none of the API', ['/readyz', 'http://127.0.0.1:1/api/v2/x']],
  ['more than twenty', Array.from({ length: 25 }, () => '/api/v2/system/environment')],
])('abuse: calls to %s are not made', async (_what, urls) => {
  const drawn = drawnOf(await page(`/home?${urls.map((url) => `ask=${encodeURIComponent(url)}`).join('&')}`));
  expect(drawn?.match(/none/g)).toHaveLength(urls.length > 20 ? 5 : urls.length);
});

it('a page that cannot be drawn is sent for the scripts to draw', async () => {
  const text = await page('/home?break');
  expect(drawnOf(text)).toBeUndefined();
  expect(text).not.toContain('first-answers');
  expect(drawnOf(await page('/home'))).toBeDefined();
});

it.each(['crash', 'hang'])(
  'abuse: a thread that does not come back (%s) is replaced, and nobody waits for it',
  async (what) => {
    const texts = await Promise.all([page(`/home?${what}`), ...Array.from({ length: 12 }, () => page('/home'))]);
    expect(drawnOf(texts[0]!)).toBeUndefined();
    for (const text of texts) expect(text).toMatch(/<u>.*<\/u>$/);
    await untilDrawn();
  },
);
