import { expect, it } from 'vitest';
import { chatOf, codeHostOf, feedOf, homeLinksOf, readSettings, sampleAppsOf, sdksOf } from './index.ts';

it('takes flags before the environment, and both before the defaults', () => {
  const env = { SLUICE_PORT: '9000', SLUICE_HOST: '0.0.0.0', SLUICE_DEMO: '' };
  expect(readSettings(env, ['--port=0', '--demo', '--public-url', 'https://x.example'])).toMatchObject({
    port: 0,
    host: '0.0.0.0',
    demo: true,
    publicUrl: 'https://x.example',
    passwordMin: 5,
  });
});

const sample = {
  name: 'javascript',
  package_url: 'https://a.example/add_javascript.dfpkg?raw=true',
  repository_url: 'https://a.example/javascript',
};

it.each<[Record<string, string>, string[], RegExp | string]>([
  [{}, ['--nonsense'], /^Unknown flag --nonsense\./],
  [{}, ['--prot', '9000'], /^Unknown flag --prot\. The flags are --host, --port, .*docs\/settings\.md/],
  [{}, ['9000'], /^"9000" stands where a flag should\. .* npm start -- --port 9000$/],
  [{}, ['--port'], /^The flag --port needs a value\.$/],
  [{ SLUICE_PORT: 'abc' }, [], /^SLUICE_PORT must be a whole number, not "abc"\.$/],
  [{ SLUICE_PORT: '-1' }, [], /^SLUICE_PORT must be a whole number/],
  [{ SLUICE_PORT: '99999' }, [], /^SLUICE_PORT can be 65535 at most, not 99999\.$/],
  [{ SLUICE_DATABASE_POOL: '0' }, [], /^SLUICE_DATABASE_POOL must be 1 at least, not 0\.$/],
  [{ SLUICE_METRICS_TOKEN: 'short' }, [], /^SLUICE_METRICS_TOKEN must be 16 or more [^:]*without blanks\.$/],
  [{ SLUICE_METRICS_TOKEN: 'sixteen or more, blanks' }, [], /^SLUICE_METRICS_TOKEN must be/],
  [{ SLUICE_LOG: 'loud' }, [], /^SLUICE_LOG is one of silent, error, warn, info, debug, not "loud"\.$/],
  [{ SLUICE_LOGIN_ATTRIBUTE: 'phone' }, [], /^SLUICE_LOGIN_ATTRIBUTE is one of email, username, not "phone"\.$/],
  [{ SLUICE_PUBLIC_URL: 'nonsense' }, [], 'SLUICE_PUBLIC_URL must begin with https://'],
  [
    { SLUICE_TRUST_PROXY: 'maybe' },
    [],
    /^SLUICE_TRUST_PROXY must be true, false, .* 192\.168\.0\.0\/16; "maybe" is none of them\.$/,
  ],
  [{ SLUICE_TRUST_PROXY: '10.0.0.1, 10.0.0.0/33' }, [], /"10\.0\.0\.0\/33" is none of them\.$/],
  [{ SLUICE_TRUST_PROXY: '10.0.0.0/0' }, [], /"10\.0\.0\.0\/0" is none of them\.$/],
  [{ SLUICE_TRUST_PROXY: 'fe80::1%eth0' }, [], /is none of them\.$/],
  [{ SLUICE_TRUST_PROXY: '10.0.0.1,' }, [], /"" is none of them\.$/],
  [{ SLUICE_DEMO: 'maybe' }, [], /^SLUICE_DEMO must be true or false, not "maybe"\.$/],
  [{ SLUICE_LINKS: 'home=https://a.example' }, [], /^SLUICE_LINKS knows upgrade, .* not "home"\.$/],
  [{ SLUICE_SDKS: 'android=ftp://a.example' }, [], /^SLUICE_SDKS: the address of android must begin with https/],
  [{ SLUICE_SAMPLE_APPS: 'javascript=https://a.example/a.dfpkg' }, [], /^SLUICE_SAMPLE_APPS is a list as JSON/],
  ...[
    { name: 'cobol' },
    { package_url: 'https://a.example/a.zip' },
    { package_url: 'file:///a.dfpkg' },
    { package_url: undefined },
    { repository_url: 'javascript:alert(1)' },
    { repository_url: undefined },
  ].map((wrong): [Record<string, string>, string[], RegExp] => [
    { SLUICE_SAMPLE_APPS: JSON.stringify([{ ...sample, ...wrong }]) },
    [],
    /^SLUICE_SAMPLE_APPS is a list as JSON/,
  ]),
  [{ SLUICE_SAMPLE_APPS: JSON.stringify([sample, sample]) }, [], /^SLUICE_SAMPLE_APPS is a list as JSON/],
  [{ SLUICE_SAMPLE_APPS: '[null]' }, [], /^SLUICE_SAMPLE_APPS is a list as JSON/],
  [{ SLUICE_HOME_LINKS: 'wiki' }, [], /^SLUICE_HOME_LINKS is a list of at most 20 links/],
  [{ SLUICE_HOME_LINKS: '[{"name":"a","href":"javascript:alert(1)"}]' }, [], /^SLUICE_HOME_LINKS is a list/],
  [{ SLUICE_HOME_LINKS: '[null]' }, [], /^SLUICE_HOME_LINKS is a list/],
  [{ SLUICE_CHAT: '/chat.js' }, [], /^SLUICE_CHAT must be an address/],
  [
    { SLUICE_CHAT: 'https://a.example/c.js', SLUICE_CHAT_ORIGINS: "https://b.example; script-src 'unsafe-inline'" },
    [],
    /^SLUICE_CHAT_ORIGINS lists origins such as/,
  ],
  [{ SLUICE_CHAT_ORIGINS: 'https://*' }, [], /^SLUICE_CHAT_ORIGINS lists origins such as/],
  [{ SLUICE_CODE_HOST: 'github' }, [], /^SLUICE_CODE_HOST must be "off" or an address/],
  [{ SLUICE_NOTIFICATIONS_FEED: 'feed' }, [], /^SLUICE_NOTIFICATIONS_FEED must be an address/],
])('refuses %o %o', (env, argv, message) => {
  expect(() => readSettings(env, argv)).toThrow(message);
});

it.each([
  ['true', true],
  ['on', true],
  ['no', false],
  ['0', false],
  ['1', 1],
  ['3', 3],
  ['10.0.0.5', ['10.0.0.5']],
  [' 10.0.0.5, 192.168.0.0/16 ,fd00::/8', ['10.0.0.5', '192.168.0.0/16', 'fd00::/8']],
])('abuse: the proxies that are believed are hops or addresses: %s', (text, proxies) => {
  expect(readSettings({ SLUICE_TRUST_PROXY: text }).trustProxy).toEqual(proxies);
  expect(readSettings({}, ['--trust-proxy']).trustProxy).toBe(true);
});

it('abuse: what of the world outside is set names its origins, and nothing else in a policy', () => {
  const chat = 'https://chat.example:8443/w;%20script-src%20*/c.js?a=b';
  const settings = readSettings({
    SLUICE_CHAT: chat,
    SLUICE_CHAT_ORIGINS: 'wss://live.chat.example, https://chat.example:8443',
    SLUICE_HOME_LINKS: '[{"name":"wiki","href":"https://wiki.example"}]',
    SLUICE_SDKS: 'dotnet=https://a.example/net,android=https://a.example/android',
  });
  expect(chatOf(settings)).toEqual({
    script: chat,
    origins: ['https://chat.example:8443', 'wss://live.chat.example'],
  });
  expect(homeLinksOf(settings)).toEqual([
    { name: 'wiki', label: 'wiki', href: 'https://wiki.example', attributes: [] },
  ]);
  expect(sdksOf(settings).map(({ name }) => name)).toEqual(['android', 'dotnet']);
  const samples = [sample, { ...sample, name: 'android', more: 1 }];
  expect(sampleAppsOf(readSettings({ SLUICE_SAMPLE_APPS: JSON.stringify(samples) }))).toEqual([
    { ...sample, name: 'android' },
    sample,
  ]);
  const none = readSettings({});
  expect(sampleAppsOf(none)).toEqual([]);
  expect([chatOf(none), feedOf(none), homeLinksOf(none), sdksOf(none)]).toEqual([undefined, undefined, undefined, []]);
  expect(codeHostOf(none)).toBe('https://api.github.com');
  expect(codeHostOf(readSettings({ SLUICE_CODE_HOST: 'off' }))).toBeUndefined();
  expect(codeHostOf(readSettings({ SLUICE_CODE_HOST: 'https://git.example/api/v3/' }))).toBe(
    'https://git.example/api/v3',
  );
});
