// An instance to abuse: a service of each engine, people of several kinds, and something in its store.
import { join } from 'node:path';
import { addService, startSluice } from '../programs.mjs';

const watch = new URL('./watch.mjs', import.meta.url).href;

/**
 * Starts the built server with its event loop watched, on a store and with a service for each database.
 * @param {string} folder for its data
 * @param {Record<string, { config: object }>} databases by engine, which is the service's name too
 * @param {Record<string, string>} env settings
 * @returns its program and `stallsFile`, the headers of its `people`, and administrators' `ask`
 */
export async function startWorld(folder, databases, env = {}) {
  const stallsFile = join(folder, 'stalls');
  const sluice = await startSluice(join(folder, 'data'), {
    ...env,
    ABUSE_STALLS: stallsFile,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${watch}`,
  });
  const make = async (path, record) =>
    (await sluice.ask('POST', `system/${path}?fields=*`, { resource: [record] })).resource[0];

  const services = [];
  for (const [engine, { config }] of Object.entries(databases))
    services.push(await addService(sluice, { name: engine, type: engine, config }));
  for (const { name } of services)
    await sluice.ask('POST', `${name}/_schema/contact/_field`, {
      resource: [
        {
          name: 'slow',
          type: 'string',
          is_virtual: true,
          db_function: [
            { use: ['SELECT', 'FILTER'], function: 'upper(replace(note, name, city))', function_type: 'database' },
          ],
        },
      ],
    });

  const row = (service_id, component) => ({ service_id, component, verb_mask: 31, requestor_mask: 1 });
  const tables = services.flatMap(({ id }) =>
    ['_table/*', '_schema/*', '_plan/*'].map((component) => row(id, component)),
  );
  const system = ['user', 'role', 'lookup', 'email_template', 'audit'].map((resource) => row(1, `${resource}/*`));
  const reader = await make('role', { name: 'reader', is_active: true, role_service_access_by_role_id: tables });
  const manager = await make('role', { name: 'manager', is_active: true, role_service_access_by_role_id: system });
  const app = await make('app', { name: 'plain', is_active: true });
  const keyed = await make('app', { name: 'keyed', is_active: true, role_id: reader.id });
  const key = { 'X-DreamFactory-API-Key': app.api_key };
  const signedIn = async (name, role) => {
    const person = { email: `${name}@example.com`, password: `the password of ${name}` };
    const roles = role ? [{ app_id: app.id, role_id: role.id }] : [];
    await make('user', { ...person, name, is_active: true, user_to_app_to_role_by_user_id: roles });
    const response = await fetch(`${sluice.url}/api/v2/user/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(person),
    });
    return { ...key, 'X-DreamFactory-Session-Token': (await response.json()).session_token };
  };
  const people = {
    stranger: {},
    user: await signedIn('abuse'),
    reader: await signedIn('reader', reader),
    manager: await signedIn('manager', manager),
    honest: await signedIn('honest', reader),
    keyed: { 'X-DreamFactory-API-Key': keyed.api_key },
    admin: sluice.asAdmin,
  };
  await fillStore(sluice);
  return { ...sluice, stallsFile, people };
}

/** A thousand people, and templates with long texts. */
async function fillStore({ ask }) {
  const users = Array.from({ length: 1000 }, (_, n) => ({
    name: `Person ${n} ${'a'.repeat(60)}`,
    email: `p${n}@example.com`,
  }));
  await ask('POST', 'system/user', { resource: users });
  for (let n = 0; n < 40; n++)
    await ask('POST', 'system/email_template', {
      resource: [{ name: `template ${n}`, body_html: 'a'.repeat(900_000) }],
    });
}
