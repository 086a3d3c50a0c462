import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

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

it.each([
  [{}, ['--nonsense'], /^Unknown flag --nonsense\./],
  [{}, ['--port'], /^The flag --port needs a value\.$/],
  [{ SLUICE_PORT: 'abc' }, [], /^SLUICE_PORT must be a whole number, not "abc"\.$/],
  [{ SLUICE_PORT: '-1' }, [], /^SLUICE_PORT must be a whole number/],
  [{ SLUICE_PORT: '99999' }, [], /^SLUICE_PORT can be 65535 at most, not 99999\.$/],
  [{ SLUICE_DEMO: 'maybe' }, [], /^SLUICE_DEMO must be true or false, not "maybe"\.$/],
])('refuses %o %o', (env, argv, message) => {
  expect(() => readSettings(env, argv)).toThrow(message);
});
