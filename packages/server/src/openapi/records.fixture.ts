// Records of system resources, for tests that call every operation: each call makes another one.
import type { TestPlatform } from '@sluice/testkit';

const person = (name: string) => ({
  ...{ name, first_name: name, last_name: name, email: `${name}@example.com`, username: name },
  ...{ password: 'correct horse 9', is_active: true },
});

/** What makes the record number `n` of a resource. */
const inputs = new Map<string, (n: number) => Record<string, unknown>>(
  Object.entries({
    admin: (n: number) => person(`admin${n}`),
    app: (n: number) => ({ name: `app ${n}`, is_active: true }),
    cors: (n: number) => ({ path: `/path${n}`, origin: '*', method: 31, max_age: 0, enabled: false }),
    custom: (n: number) => ({ name: `custom${n}`, value: 'a' }),
    email_template: (n: number) => ({ name: `template ${n}`, subject: 'Hello' }),
    event_script: (n: number) => ({
      name: `shop._table.t${n}.get.pre_process`,
      type: 'v8js',
      content: '',
      is_active: false,
    }),
    limit: (n: number) => ({
      ...{ name: `limit ${n}`, type: 'instance.service.endpoint', rate: 100_000 + n, is_active: false },
      ...{ period: 'day', service_id: 1, endpoint: `place${n}` },
    }),
    lookup: (n: number) => ({ name: `lookup${n}`, value: 'a' }),
    role: (n: number) => ({ name: `role ${n}`, is_active: true }),
    service: (n: number) => ({
      name: `place${n}`,
      label: 'A place',
      type: 'local_file',
      is_active: true,
      config: { container: `c${n}` },
    }),
    user: (n: number) => person(`user${n}`),
  }),
);

let count = 0;

/** The input of one more record; undefined for a resource that no call writes. */
export const recordInput = (resource: string): Record<string, unknown> | undefined => {
  count += 1;
  return inputs.get(resource)?.(count);
};

/** Makes one more record and answers its identifier: its name where records are addressed by that. */
export async function makeRecord(platform: Pick<TestPlatform, 'ask'>, resource: string): Promise<string> {
  const { status, body, text } = await platform.ask('POST', `system/${resource}?fields=*`, {
    body: { resource: [recordInput(resource)] },
  });
  if (status >= 300) throw new Error(`${resource}: ${status} ${text}`);
  const [record] = body.resource;
  return String(resource === 'custom' || resource === 'event_script' ? record.name : record.id);
}
