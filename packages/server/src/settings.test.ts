import { describe, expect, it } from 'vitest';
import { linksOf, readSettings } from './settings.ts';
import { StartError } from './start-error.ts';

describe('readSettings', () => {
  it('takes defaults, then the environment, then flags', () => {
    expect(readSettings({}).port).toBe(8080);
    expect(readSettings({ SLUICE_PORT: '9000' }).port).toBe(9000);
    expect(readSettings({ SLUICE_PORT: '9000' }, ['--port', '9001', '--demo']).port).toBe(9001);
    expect(readSettings({}, ['--demo', '--public-url=https://x.example']).demo).toBe(true);
    expect(readSettings({}, ['--public-url=https://x.example/a=b']).publicUrl).toBe('https://x.example/a=b');
  });

  it.each([
    [{ SLUICE_PORT: 'many' }, [], 'SLUICE_PORT must be a whole number'],
    [{ SLUICE_DEMO: 'perhaps' }, [], 'SLUICE_DEMO must be true or false'],
    [{}, ['--prot', '1'], 'Unknown flag --prot'],
    [{}, ['--port'], 'The flag --port needs a value'],
  ])('%o %o', (env, argv, message) => {
    expect(() => readSettings(env, argv)).toThrow(StartError);
    expect(() => readSettings(env, argv)).toThrow(message);
  });
});

describe('linksOf', () => {
  it('reads names and addresses', () => {
    const links = 'support=https://help.example/?a=b, upgrade=http://x.example';
    expect(linksOf({ links })).toEqual({ support: 'https://help.example/?a=b', upgrade: 'http://x.example' });
    expect(linksOf({ links: '' })).toEqual({});
  });

  it.each(['help=https://x.example', 'support=javascript:alert(1)', 'support'])('refuses %s', (links) => {
    expect(() => linksOf({ links })).toThrow(StartError);
  });
});
