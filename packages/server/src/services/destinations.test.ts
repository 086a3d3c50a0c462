// Every type says where its secrets go (service/service.ts): this test asks the author of a new one.
import { type ConfigFields, configField, hasSecrets } from '@sluice/contract';
import { expect, test } from 'vitest';
import { serviceType } from '../service/service.ts';
import { serviceTypes } from './index.ts';

/** Names a field that leads somewhere is likely to have. */
const leading =
  /host|port|addr|ur[il]|dsn|wsdl|endpoint|socket|proxy|domain|tenant|region|protocol|user|account|ssl|tls|cert|ca_?path|finger/i;

const types = serviceTypes({ identity: {}, settings: {}, store: {} } as never);
const withSecrets = types.filter(({ config }) => hasSecrets(config ?? {}));

test('abuse: every type with a secret says which fields lead it somewhere, or why none does', () => {
  expect(withSecrets.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mysql', 'pgsql', 'aws_redshift_db', 'memsql']),
  );
  for (const { name, config, fixedDestination } of withSecrets) {
    if (fixedDestination) continue;
    const fields = Object.entries(config as ConfigFields).filter(([, { secret }]) => !secret);
    // `aws_redshift_db` and others have maps of options: each says which keys count, if any.
    const silent = fields.filter(([field, { type, destination }]) =>
      type === 'object' ? !Array.isArray(destination) : leading.test(field) && destination !== true,
    );
    expect([name, silent.map(([field]) => field)]).toEqual([name, []]);
  }
});

test('abuse: a type that keeps a secret and names no destination is not declared at all', () => {
  const facts = { name: 'new', label: 'New', description: '', group: 'File', can: {}, open: () => ({}) } as const;
  const config = { token: configField.secret({ label: 'Token' }), url: configField.string({ label: 'URL' }) };
  expect(() => serviceType({ ...facts, config })).toThrow(/new: it keeps secrets/);
  const led = { ...config, url: configField.string({ label: 'URL', destination: true }) };
  expect(serviceType({ ...facts, config: led }).name).toBe('new');
  expect(serviceType({ ...facts, config, fixedDestination: 'It always calls one address.' }).name).toBe('new');
});
