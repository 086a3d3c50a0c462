import { expect, it } from 'vitest';
import { deviceOf } from './device.ts';

const mozilla = 'Mozilla/5.0';
it.each([
  [
    `${mozilla} (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36`,
    ['computer', 'Chrome', 'Linux'],
  ],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    ['computer', 'Edge', 'Windows'],
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15`,
    ['computer', 'Safari', 'macOS'],
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1`,
    ['phone', 'Safari', 'iOS'],
  ],
  [`${mozilla} (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0`, ['phone', 'Firefox', 'Android']],
  ['curl/8.5.0', ['program', 'curl 8.5.0', null]],
  ['node', ['program', 'node', null]],
])('%s', (userAgent, [kind, program, system]) => {
  expect(deviceOf(userAgent)).toEqual({ kind, program, system });
});

it('is none where a client says nothing', () => {
  expect([deviceOf(null), deviceOf('')]).toEqual([null, null]);
});
