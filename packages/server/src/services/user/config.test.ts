// The configuration of the seeded services `system` and `user`, and whether the sign-in page offers registration.
import { seed } from '@sluice/server/store/seed';
import { startPlatform } from '@sluice/testkit/platform';
import { startSystem } from '@sluice/testkit/system';
import { expect, it } from 'vitest';
import type { ServiceType } from '../../service/service.ts';
import { readSettings } from '../../settings/index.ts';

const ofMail = { invite_email_service_id: 6, password_email_service_id: 6 };
const templates = { invite_email_template_id: 1, password_email_template_id: 3 };
const altAuth = {
  alt_auth_db_service_id: null,
  alt_auth_table: null,
  alt_auth_username_field: null,
  alt_auth_password_field: null,
  alt_auth_email_field: null,
  alt_auth_other_fields: null,
  alt_auth_filter: null,
};

it('abuse: the user service has every key of the contract, its templates linked, and takes registrations where it says so', async () => {
  const platform = await startPlatform();
  try {
    const config = async (id: number) => (await platform.ask('GET', `system/service/${id}`)).body.config;
    expect(await config(1)).toEqual({ service_id: 1, default_app_id: null, ...ofMail, ...templates });
    const seeded = {
      ...{ service_id: 7, allow_open_registration: false, open_reg_role_id: null, app_role_map: [] },
      ...{ open_reg_email_service_id: 6, open_reg_email_template_id: 2, ...ofMail, ...templates, ...altAuth },
    };
    expect(await config(7)).toEqual(seeded);
    const { config_schema } = (await platform.ask('GET', 'system/service_type/user')).body;
    expect(config_schema.map(({ name }: { name: string }) => name)).not.toContain('alt_auth_table');

    const body = {
      config: {
        ...{ allow_open_registration: true, alt_auth_table: 'people' },
        ...{ open_reg_email_service_id: null, open_reg_email_template_id: null },
      },
    };
    expect((await platform.ask('PATCH', 'system/service/7', { body })).status).toBe(200);
    expect(await config(7)).toEqual({
      ...{ ...seeded, allow_open_registration: true },
      ...{ open_reg_email_service_id: null, open_reg_email_template_id: null },
    });
    const { authentication } = (await platform.ask('GET', 'system/environment', { token: null })).body;
    expect(authentication).toMatchObject({ allow_open_registration: true, open_reg_email_service_id: null });
    const person = { email: 'x@example.com', password: 'my own one' };
    expect((await platform.ask('POST', 'user/register', { body: person, token: null })).status).toBe(200);
  } finally {
    await platform.stop();
  }
});

it('abuse: registration is offered only where the mail that confirms it can be sent', async () => {
  const { store, types, ask, close } = await startSystem();
  try {
    const [any] = types as [ServiceType];
    types.push({ ...any, name: 'signup', can: { register: true } }, { ...any, name: 'post', can: { mail: true } });
    const add = async (id: number, type: string, config: object, is_active = 1) => {
      const values = {
        id,
        name: type,
        label: type,
        type,
        is_active,
        mutable: 1,
        deletable: 1,
        config: JSON.stringify(config),
      };
      await store.db
        .insertInto('service')
        .values(values as never)
        .execute();
    };
    const readSetting = async () => (await ask('GET', 'environment')).body.authentication.allow_open_registration;
    await add(20, 'signup', { allow_open_registration: true });
    expect(await readSetting()).toBe(true);
    const mailBy = (id: number) => {
      const config = JSON.stringify({ allow_open_registration: true, open_reg_email_service_id: id });
      return store.db.updateTable('service').set({ config }).where('id', '=', 20).execute();
    };
    await mailBy(21);
    expect(await readSetting()).toBe(false);
    await add(21, 'post', {}, 0);
    expect(await readSetting()).toBe(false);
    await store.db.updateTable('service').set({ is_active: 1 }).where('id', '=', 21).execute();
    expect(await readSetting()).toBe(true);
    await mailBy(5);
    expect(await readSetting()).toBe(false);
  } finally {
    await close();
  }
});

it('links templates of an instance that was there before once, and nothing that someone chose or deleted', async () => {
  const { store, close } = await startSystem();
  try {
    const settings = readSettings({});
    const config = async () => {
      const row = await store.db.selectFrom('service').select('config').where('id', '=', 7).executeTakeFirstOrThrow();
      return JSON.parse(row.config);
    };
    const set = (value: object) =>
      store.db
        .updateTable('service')
        .set({ config: JSON.stringify(value) })
        .where('id', '=', 7)
        .execute();
    expect(await config()).toEqual({
      ...{ open_reg_email_template_id: 2, ...templates },
      ...{ open_reg_email_service_id: 6, ...ofMail },
    });
    await set({});
    await seed(store, settings);
    expect(await config()).toEqual({});
    const links = ['seed.service.7.templates', 'seed.service.7.mail'];
    await store.db.deleteFrom('instance').where('name', 'in', links).execute();
    await store.db.deleteFrom('email_template').where('id', '=', 3).execute();
    await set({ invite_email_template_id: 2, invite_email_service_id: null, allow_open_registration: true });
    await seed(store, settings);
    expect(await config()).toEqual({
      ...{ invite_email_template_id: 2, open_reg_email_template_id: 2, allow_open_registration: true },
      ...{ invite_email_service_id: null, open_reg_email_service_id: 6, password_email_service_id: 6 },
    });
  } finally {
    await close();
  }
});
