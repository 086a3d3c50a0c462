// People whose role in the console's app allows little, for journeys about permissions.
import { expect, type Instance } from './instance.ts';

/** A row of service access: the service by its name, `component` and the verbs as a mask. */
export interface Access {
  service: string;
  component: string;
  verb_mask: number;
  filters?: { name: string; operator: string; value: string }[];
}

let count = 0;

/** Makes a user with a role of these rows in the app `admin`; without rows they have no role and no app. */
export async function makeGuest(instance: Instance, access: Access[] = []) {
  count += 1;
  const guest = { email: `guest${count}.${Date.now()}@example.com`, password: 'guest password' };
  const services = (await instance.api('GET', 'system/service?fields=id,name')).body.resource;
  const rows = access.map(({ service, ...row }) => ({
    ...row,
    service_id: services.find(({ name }: { name: string }) => name === service).id,
    requestor_mask: 1,
  }));
  const role = await instance.api('POST', 'system/role', {
    resource: [{ name: `guests ${count} ${Date.now()}`, is_active: true, role_service_access_by_role_id: rows }],
  });
  const assigned = access.length === 0 ? [] : [{ app_id: 1, role_id: role.body.resource[0].id }];
  const record = { ...guest, name: `Little rights ${count}`, user_to_app_to_role_by_user_id: assigned };
  const { status, body } = await instance.api('POST', 'system/user', { resource: [record] });
  expect(status).toBe(201);
  return { ...guest, id: body.resource[0].id as number };
}

/** Switches off the apps that earlier journeys left for everybody: those with a default role. */
export async function hideGuestApps(instance: Instance): Promise<void> {
  const filter = encodeURIComponent('role_id is not null');
  const { body } = await instance.api('GET', `system/app?fields=id&filter=${filter}`);
  for (const { id } of body.resource)
    expect((await instance.api('PATCH', `system/app/${id}`, { is_active: false })).status).toBe(200);
}
