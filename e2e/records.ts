// Records for every screen to show: few, but with long names, every state, and something in each of their lists.
import { expect, type Instance } from './instance.ts';

export interface SampleRecords {
  app: number;
  user: number;
  role: number;
  service: number;
  /** The e-mail template of the instance's own. */
  template: number;
  lookup: number;
  /** An entry of the audit that has something to compare. */
  entry: number;
}

const recordsByInstance = new WeakMap<Instance, Promise<SampleRecords>>();

/** Makes the records, once for an instance. */
export const sampleRecords = (instance: Instance): Promise<SampleRecords> => {
  const records = recordsByInstance.get(instance) ?? makeRecords(instance);
  recordsByInstance.set(instance, records);
  return records;
};

async function makeRecords(instance: Instance): Promise<SampleRecords> {
  const create = async (resource: string, ...records: object[]): Promise<number> => {
    const { status, body } = await instance.api('POST', `system/${resource}`, { resource: records });
    expect([resource, status, body]).toEqual([resource, 201, body]);
    return body.resource[0].id;
  };
  const firstId = async (resource: string, filter: string): Promise<number> => {
    const { body } = await instance.api('GET', `system/${resource}?limit=1&filter=${encodeURIComponent(filter)}`);
    return body.resource[0].id;
  };
  const world = await firstId('service', 'name = "world"');
  const service = await create('service', {
    name: 'stock',
    label: 'What is in stock',
    type: 'sqlite',
    is_active: true,
    config: { database: 'stock' },
  });
  const role = await create(
    'role',
    {
      name: 'Clerks',
      description: 'Those who answer the telephone and look after the contacts of their own customers',
      is_active: true,
      role_service_access_by_role_id: [
        {
          service_id: world,
          component: '_table/people/*',
          verb_mask: 15,
          requestor_mask: 3,
          filters: [
            { name: 'id', operator: '>', value: '{user.id}' },
            { name: 'name', operator: 'is not null', value: '' },
          ],
          filter_op: 'AND',
        },
        { service_id: world, component: '_table/*', verb_mask: 0, requestor_mask: 1 },
        { service_id: service, component: '_schema/*', verb_mask: 1, requestor_mask: 2 },
        { service_id: null, component: '*', verb_mask: 1, requestor_mask: 1 },
      ],
    },
    { name: 'Nobody yet', is_active: false },
  );
  const app = await create(
    'app',
    {
      name: 'Shop',
      description: 'Where customers order, on the web and on the telephone',
      type: 2,
      url: 'https://shop.example.com/a/rather/long/way/to/its/start/page/index.html',
      is_active: true,
      role_id: role,
      lookup_by_app_id: [
        { name: 'region', value: 'eu' },
        { name: 'secret', value: 'hush', private: true },
      ],
    },
    { name: 'Till', type: 0, is_active: false },
  );
  const user = await create(
    'user',
    {
      name: 'Bo Nordström-Vandenberghe',
      first_name: 'Bo',
      last_name: 'Nordström-Vandenberghe',
      email: 'bo.nordstroem-vandenberghe@customers.example.com',
      password: 'a long password',
      is_active: true,
      lookup_by_user_id: [
        { name: 'region', value: 'eu' },
        { name: 'secret', value: 'hush', private: true },
      ],
      user_to_app_to_role_by_user_id: [{ app_id: app, role_id: role }],
    },
    { name: 'Cy', email: 'cy@example.com', is_active: false },
  );
  await create('admin', { name: 'Di', email: 'di@example.com', is_active: false });
  const lookup = await create(
    'lookup',
    { name: 'team_mail', value: 'team@example.com', description: 'Who gets the mails' },
    { name: 'relay_password', value: 'hush', private: true },
  );
  await create('event_script', {
    name: 'world._table.cities.get',
    type: 'v8js',
    content: '// Tells who was there.\nprint("seen " + event.request.uri);',
    is_active: true,
  });
  expect((await instance.api('GET', 'world/_table/cities?limit=1')).status).toBe(200);
  const changes = { name: 'Clerks', description: 'Those who answer the telephone and look after their own customers' };
  expect((await instance.api('PATCH', `system/role/${role}`, changes)).status).toBe(200);
  const entry = await firstId('audit', 'resource = "role" and action = "update"');
  return { app, user, role, service, template: await firstId('email_template', 'id > 0'), lookup, entry };
}
