// An instance with roles that reach some of it, all of it and nothing, for tests of what callers are shown.
import { verbMask } from '@sluice/contract';
import { type AskOptions, startPlatform, type TestPlatform } from '@sluice/testkit';
import type { Document } from './valid.fixture.ts';

const all = 31;
const { GET, POST, PUT, PATCH } = verbMask;

/** Rows of roles, by service. */
const roles: Record<string, Record<string, Record<string, number>>> = {
  narrow: {
    shop: {
      '_table/product/*': GET,
      '_table/customer': GET | POST,
      '_table/order/7': GET | PATCH,
      '_table/cat*': PUT,
      '_schema/product': GET,
    },
    files: { 'docs/*': GET | POST, 'notes.txt': GET },
    system: { role: GET, 'admin/profile': GET, service: GET, 'service/_use': GET },
    user: { password: POST },
  },
  wide: {
    shop: { '*': all, '': all },
    files: { '*': all },
    system: { '*': all, '': all },
    user: { '*': all, '': all },
    email: { '': POST },
    api_docs: { '*': all },
  },
  none: {},
};

export interface AccessInstance {
  platform: TestPlatform;
  /** How each caller asks, by a name: a person and a key alone for each role, and a stranger. */
  callers: Record<string, () => Promise<AskOptions>>;
  /** Whether an address needs no credentials. */
  isPublic(address: string, verb: string): boolean;
}

export async function startAccessInstance(): Promise<AccessInstance> {
  const platform = await startPlatform();
  const callers: AccessInstance['callers'] = {};
  const config = { database: 'shop.sqlite' };
  await platform.create('service', { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config });
  for (const name of ['product', 'customer', 'order', 'category', 'secret']) {
    const field = [
      { name: 'id', type: 'id' },
      { name: 'name', type: 'string', length: 40 },
      ...(name === 'product'
        ? [{ name: 'category_id', type: 'reference', ref_table: 'category', ref_field: 'id' }]
        : []),
    ];
    if (name === 'product')
      await platform.ask('POST', 'shop/_schema', {
        body: {
          resource: [
            { name: 'category', field: field.slice(0, 2) },
            { name, field },
          ],
        },
      });
    else await platform.ask('POST', 'shop/_schema', { body: { resource: [{ name, field }] } });
  }
  // The one record that a role names, and one that others refer to.
  await platform.ask('POST', 'shop/_table/category', { body: { resource: [{ id: 1, name: 'First' }] } });
  await platform.ask('POST', 'shop/_table/order', { body: { resource: [{ id: 7, name: 'Seven' }] } });
  // Open, so that to register is refused to nobody.
  const { body: registering } = await platform.ask('GET', 'system/service/7');
  await platform.ask('PATCH', 'system/service/7', {
    body: { config: { ...registering.config, allow_open_registration: true, open_reg_email_service_id: null } },
  });
  const { body: services } = await platform.ask('GET', 'system/service?fields=id,name');
  const idOf = new Map(services.resource.map(({ id, name }: { id: number; name: string }) => [name, id]));
  for (const [name, rows] of Object.entries(roles)) {
    const access = Object.entries(rows).flatMap(([service, components]) =>
      Object.entries(components).map(([component, verb_mask]) => ({
        ...{ service_id: idOf.get(service), component, verb_mask, requestor_mask: 1 },
      })),
    );
    const role = await platform.create(
      'role',
      { name, is_active: true, role_service_access_by_role_id: access },
      'role_service_access_by_role_id',
    );
    const app = await platform.create('app', { name, is_active: true, role_id: role.id });
    const user = await platform.create('user', {
      name,
      email: `${name}@example.com`,
      password: 'correct horse',
      is_active: true,
    });
    const key = String(app.api_key);
    callers[`${name}, a person`] = async () => ({ key, token: await platform.tokenOf(user.id) });
    callers[`${name}, a key alone`] = async () => ({ key, token: null });
  }
  callers.stranger = async () => ({ token: null });
  return { platform, callers, isPublic: (address, verb) => isPublic(platform, address, verb) };
}

/** An operation as a document has it, with an address that its examples make. */
export interface Made {
  verb: string;
  /** As the document has it. */
  path: string;
  address: string;
  line: string;
}

/** Stands for any record, where no value is named. */
export const anyRecord = '4711';

export function operationsOf(document: Document): Made[] {
  const resolve = (part: Document) =>
    part.$ref ? document.components[part.$ref.split('/')[2]][part.$ref.split('/')[3]] : part;
  return Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    Object.entries<Document>(item).map(([verb, operation]) => {
      const values = new Map<string, string>(
        (operation.parameters ?? [])
          .map(resolve)
          .filter((parameter: Document) => parameter.in === 'path')
          .map(({ name, schema, example }: Document) => {
            const isAny =
              schema.enum === undefined && /^(1|name)$/.test(example) && !['service', 'table_name'].includes(name);
            return [name, isAny ? anyRecord : example];
          }),
      );
      const address = path.replace(/\{([^}]*)\}/g, (_, name: string) =>
        encodeURIComponent(values.get(name) ?? '?').replaceAll('%2F', '/'),
      );
      const line = `${verb.toUpperCase()} ${path}`;
      return { verb: verb.toUpperCase(), path, address: address.slice(1), line };
    }),
  );
}

const isPublic = (platform: TestPlatform, address: string, verb: string): boolean => {
  const [service = '', ...path] = address.split('/');
  const type =
    {
      shop: 'sqlite',
      files: 'local_file',
      logs: 'local_file',
      db: 'sqlite',
      email: 'local_email',
      api_docs: 'swagger',
    }[service] ?? service;
  return platform.types.find(({ name }) => name === type)?.routes.isPublic(path.join('/'), verb as 'GET') ?? false;
};
