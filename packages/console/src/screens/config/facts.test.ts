import { expect, it } from 'vitest';
import { anEnvironment } from '../../api/testing.ts';
import { factsOf } from './facts.ts';

const platform = {
  license: 'GOLD',
  version: '2.16.1',
  sluice_version: '0.1.0',
  bitnami_demo: false,
  is_hosted: false,
  db_driver: 'sqlite',
  sqlite_storage: '/data/sluice.sqlite',
  log_level: 'warn',
  packages: [{ name: 'sluice', version: '0.1.0' }],
  // What no one asked for is not shown, whatever it is.
  app_key: 'secret',
};

it('puts what is known in parts, in order (OPEN-073, OPEN-074)', () => {
  const factGroups = factsOf(
    anEnvironment({ platform, server: { server_os: 'linux', ip: null }, client: { ip_address: '203.0.113.7' } }),
  );
  expect(factGroups.map(({ name, facts }) => [name, facts.map(({ label }) => label)])).toEqual([
    ['platform', ['license', 'sluiceVersion', 'apiVersion', 'database', 'sqlite', 'logLevel', 'demo']],
    ['packages', [{ name: 'sluice' }]],
    ['server', ['os']],
    ['client', ['ip']],
  ]);
  expect(JSON.stringify(factGroups)).not.toContain('secret');
});

it('says why the packages are not known, and leaves out what a person may not see', () => {
  expect(factsOf(anEnvironment({ platform: { ...platform, packages: { error: 'Not readable.' } } }))).toContainEqual({
    name: 'packages',
    facts: [],
    failure: 'Not readable.',
  });
  const { platform: _unknown, ...anonymous } = anEnvironment();
  expect(factsOf(anonymous)).toEqual([]);
});
