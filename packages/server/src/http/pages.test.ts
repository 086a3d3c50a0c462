// What the server fills into the console's page: its settings, the files of the page that is asked for, and the sign-in page.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const preloads = { '/home': ['assets/home.js'], '/users': ['assets/people.js', 'assets/people.css'] };
const signIn = {
  host: 'host.invalid',
  pages: { en: '<s nonce="__CSP_NONCE__"></s>Login host.invalid', de: 'Anmelden' },
  except: ['/setup'],
};
const signedIn = { cookie: 'a=b; CurrentUserObj=%7B%7D' };

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-pages-'));
  writeFileSync(
    join(folder, 'index.html'),
    '<p nonce="__CSP_NONCE__"></p><i>"__SETTINGS__"</i><b><!-- preload --></b><u><!-- ahead --></u>',
  );
  writeFileSync(join(folder, '.sign-in.json'), JSON.stringify(signIn));
  writeFileSync(join(folder, '.preload.json'), JSON.stringify(preloads));
  platform = await startPlatform({ consoleFolder: folder, links: 'support=https://a.example/</script><script>' });
});
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

const page = async (path: string, headers = {}) => {
  const { status, text } = await platform.ask('GET', path, { headers: { accept: 'text/html', ...headers } });
  expect(status).toBe(200);
  return text;
};
const settingsOf = (text: string) => /<i>(.*)<\/i>/.exec(text)?.[1] ?? '';
const linksOf = (text: string) =>
  [...text.matchAll(/rel="(\w+)" crossorigin href="([^"]+)"/g)].map(([, ...link]) => link);

describe('the console page', () => {
  it('brings what /console.json answers', async () => {
    const text = await page('/login');
    expect(JSON.parse(settingsOf(text))).toEqual((await platform.ask('GET', '/console.json')).body);
    expect(text).toMatch(/nonce="[\w+/=]{24}"/);
  });

  it('abuse: no setting ends the element it stands in', async () => {
    expect(settingsOf(await page('/'))).toContain('\\u003c/script>');
  });

  it.each([
    [
      '/users',
      signedIn,
      [
        ['modulepreload', '/assets/people.js'],
        ['stylesheet', '/assets/people.css'],
      ],
    ],
    [
      '/users/7?tab=roles',
      signedIn,
      [
        ['modulepreload', '/assets/people.js'],
        ['stylesheet', '/assets/people.css'],
      ],
    ],
    ['/', signedIn, [['modulepreload', '/assets/home.js']]],
    ['/constructor', signedIn, [['modulepreload', '/assets/home.js']]],
    ['/users', {}, []],
    ['/users', { cookie: 'NotCurrentUserObj=1' }, []],
  ])('%s with %j names the files of its page', async (path, headers, links) => {
    expect(linksOf(await page(path, headers))).toEqual(links);
  });

  it.each([
    ['/file-manager', true],
    ['/file-manager/files?path=docs/', true],
    ['/filemanager/index.html?path=/&allowroot=true', true],
    ['/files', false],
    ['/home', false],
    ['/file-managers', false],
  ])('%s may be shown in a frame of the same address: %s', async (path, isFramed) => {
    const { headers } = await platform.ask('GET', path, { headers: { accept: 'text/html' } });
    expect(headers['x-frame-options']).toBe(isFramed ? 'SAMEORIGIN' : 'DENY');
    expect(headers['content-security-policy']).toContain(`frame-ancestors ${isFramed ? "'self'" : "'none'"}`);
  });

  it('keeps the list of files to itself', async () => {
    expect((await platform.ask('GET', '/.preload.json')).status).toBe(404);
  });

  const signInOf = (text: string) => /<u>(.*)<\/u>/.exec(text)?.[1] ?? '';
  it('brings the sign-in page, where nobody is signed in and the address leads there', async () => {
    const address = new URL(platform.url).host;
    const text = await page('/data/db');
    const nonce = /nonce="([\w+/=]{24})"/.exec(text)?.[1];
    expect(signInOf(text)).toBe(`<div data-ahead><s nonce="${nonce}"></s>Login ${address}</div>`);
    expect(signInOf(await page('/login', { 'accept-language': 'fr,de-AT;q=0.8' }))).toContain('Anmelden');
    for (const elsewhere of ['/setup', '/login?session_token=1', '/login?x=1&code=2'])
      expect(signInOf(await page(elsewhere))).toBe('');
    expect(signInOf(await page('/login', signedIn))).toBe('');
    expect((await platform.ask('GET', '/.sign-in.json')).status).toBe(404);
  });

  it.each([{ loginAttribute: 'username' as const }, { foreverSessions: true }])(
    'leaves the sign-in page to the console with %j',
    async (settings) => {
      const other = await startPlatform({ consoleFolder: folder, ...settings });
      const { text } = await other.ask('GET', '/login', { headers: { accept: 'text/html' } });
      await other.stop();
      expect(signInOf(text)).toBe('');
    },
  );

  it('abuse: no host ends the text it stands in', async () => {
    expect(signInOf(await page('/login', { host: 'a<script>' }))).not.toContain('<script>');
  });
});
