// The errors that operations declare are true: each is provoked, at every operation of every type that declares it.
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorKey, errors } from '@sluice/contract';
import { type AskOptions, startPlatform } from '@sluice/testkit';
import { soakRounds } from '@sluice/testkit/soak';
import { afterAll, describe, expect, it } from 'vitest';
import { done, entry, startFakeDirectory } from '../directories/hostile-directory.fixture.ts';
import { configOf } from '../repositories/example.fixture.ts';
import { packageOf, uploadOf, zipFiles } from '../resources/package/zip.fixture.ts';
import type { ListedOperation } from '../service/route-table.ts';
import type { ServiceType } from '../service/service.ts';
import { exampleOf, makeExample } from '../services/example.fixture.ts';
import { makeRecord } from './records.fixture.ts';
import { errorText } from './responses.ts';

const platform = await startPlatform({ scriptSeconds: 1 });
const releases: (() => Promise<void>)[] = [];
afterAll(async () => {
  await platform.stop();
  for (const release of releases) await release();
});

/** What a call says for an error to come. */
interface Provocation extends AskOptions {
  /** Of placeholders, by name. */
  values?: Record<string, string>;
  query?: string;
  service?: string;
}

interface Place {
  operation: ListedOperation;
  /** The type, and the service made of it. */
  type: string;
  service: string;
}

const two = { resource: [{ id: 4711 }, { id: 4712 }] };
const resourceOf = (path: string): string => path.split('/')[0] as string;
const isOne = ({ path }: ListedOperation): boolean => path.includes('{');
/** More than a list may hold. */
const many = Array.from({ length: 20_001 }, (_, index) => ({ name: `f${index}` }));

const database: Partial<Record<string, (place: Place) => Provocation | Promise<Provocation>>> = {
  'table.unknown': ({ operation: { path } }) =>
    path === '_schema'
      ? { query: '?ids=nowhere' }
      : { values: { table_name: 'nowhere' }, body: { resource: [{ id: 1 }] } },
  'record.notFound': () => ({ values: { id: '4711' }, body: { title: 'b' } }),
  'record.none': () => ({ body: {} }),
  'record.batch': ({ operation: { path, verb } }) => ({
    body:
      path === '_schema'
        ? { resource: [{ name: 'nowhere', field: [{ name: 'a', type: 5 }] }, { name: 'nowhere2' }] }
        : { resource: [{ id: verb === 'POST' ? 'x' : 4711, title: 'a' }] },
    ...(path === '_schema' && verb === 'DELETE' ? { query: '?ids=nowhere,nowhere2' } : {}),
  }),
  'record.stale': () => ({
    values: { id: '1' },
    body: { resource: [{ title: 'b' }], loaded: [{ title: 'another' }] },
  }),
  'record.moreThanOne': () => ({ values: { id: '1' }, body: { resource: [{}, {}] } }),
  'record.noneToDelete': () => ({}),
  'filter.requestedField': () => ({
    values: { id: '1' },
    query: '?fields=nothing&ids=1',
    body: { resource: [{ title: 'b' }] },
  }),
  'filter.unparsable': ({ operation: { verb } }) => ({
    query: '?filter=(((',
    ...(verb === 'GET' || verb === 'DELETE' ? {} : { body: { resource: [{ title: 'b' }] } }),
  }),
  'filter.field': () => ({ query: '?filter=(nothing = 1)' }),
  'filter.orderField': () => ({ query: '?order=nothing' }),
  'schema.noData': () => ({ body: {} }),
  'schema.tableName': () => ({ body: { resource: [{ field: [] }] } }),
  'schema.noFields': () => ({ body: { resource: [{ name: 'bare' }] } }),
  'schema.tableExists': () => ({
    query: '?check_exist=true',
    body: { resource: [{ name: 'note', field: [{ name: 'a', type: 'string' }] }] },
  }),
  'schema.value': ({ operation: { path } }) => {
    const field = { name: 'odd', type: 'string', length: 'long' };
    if (path === '_schema') return { body: { resource: [{ name: 'odd', field: [field] }] } };
    if (path.endsWith('_field')) return { body: { resource: [field] } };
    return { body: path.includes('_field/') ? field : { field: [field] }, values: { field_name: 'odd' } };
  },
  'schema.noTypedFields': () => ({ body: { field: [{ name: 'odd' }] } }),
  'schema.noFieldNames': () => ({ body: {} }),
  'schema.notOffered': ({ operation: { path } }) => {
    const field = { name: 'another', type: 'string' };
    if (path === '_schema') return { body: { resource: [{ name: 'another', field: [field] }] } };
    if (path.endsWith('_field')) return { body: { resource: [field] } };
    return { body: path.includes('_field/') ? field : { field: [field] }, values: { field_name: 'another' } };
  },
  'schema.relationType': ({ operation: { path } }) => {
    const relation = { name: 'odd', is_virtual: true, type: 'nonsense' };
    return { values: { related_name: 'odd' }, body: path.endsWith('_related') ? { resource: [relation] } : relation };
  },
  'table.noFields': () => ({ values: { field_name: 'nothing' }, query: '?ids=nothing' }),
  'table.noRelations': () => ({ values: { related_name: 'nothing' }, query: '?ids=nothing' }),
  'routine.unknown': () => ({ values: { procedure_name: 'nothing', function_name: 'nothing' } }),
  'routine.failed': () => ({ values: broken }),
  'routine.parametersTooMany': () => ({
    values: { procedure_name: 'broken_one(1,2)', function_name: 'broken(1,2)' },
    body: { params: [1, 2] },
  }),
};

const broken = { procedure_name: 'broken_one', function_name: 'broken' };

const files: typeof database = {
  'file.badPath': ({ operation: { path } }) =>
    path === '' ? { headers: { 'x-file-name': 'a/b' } } : { values: { file_path: 'a%5Cb', folder_path: 'a%5Cb/' } },
  'file.exists': ({ operation: { path } }) => ({
    query: '?check_exist=true',
    body: 'x',
    ...(path === '{file_path}' ? {} : { values: { folder_path: 'made/' }, headers: { 'x-file-name': 'note.txt' } }),
  }),
  'file.folderExists': ({ operation: { path } }) => ({
    values: { file_path: 'made', folder_path: 'made/' },
    ...(path === '{file_path}' ? { body: 'x' } : {}),
  }),
  'file.folderMissing': () => ({ values: { file_path: 'nowhere/a.txt' }, body: 'x' }),
  'file.stale': () => ({ headers: { 'if-match': '"another"' }, body: 'x' }),
  'file.notZip': ({ operation: { path } }) => ({
    query: '?extract=true',
    values: { file_path: 'a.zip', folder_path: 'made/' },
    headers: { 'content-type': 'application/zip', ...(path === '{file_path}' ? {} : { 'x-file-name': 'a.zip' }) },
    body: 'no zip at all',
  }),
  'file.tooManyItems': () => ({ values: { folder_path: 'made/' }, body: { resource: many } }),
  'file.propertiesNotImplemented': () => ({ body: {} }),
  'file.noResources': () => ({}),
  'file.notFound': () => ({ values: { file_path: 'nothing.txt' } }),
  'file.folderNotFound': () => ({ values: { folder_path: 'nothing/' } }),
  'file.deleteMissing': () => ({ values: { file_path: 'nothing.txt' } }),
  'file.notEmpty': () => ({ values: { folder_path: 'made/' } }),
};

const mails: typeof database = {
  'mail.noData': () => ({ body: {} }),
  'mail.noContent': () => ({ body: { to: 'a@example.com', from_email: 'b@example.com', subject: 'Hello' } }),
  'mail.noSender': () => ({ body: { to: 'a@example.com', body_text: 'Hello' } }),
  'mail.badAddress': () => ({ body: { to: 'nobody', from_email: 'b@example.com', body_text: 'Hello' } }),
  'mail.badAttachment': () => ({
    body: { to: 'a@example.com', from_email: 'b@example.com', body_text: 'Hello', attachment: 5 },
  }),
  'mail.templateUnknown': () => ({ query: '?template=nothing', body: { to: 'a@example.com' } }),
  'mail.templateIdUnknown': () => ({ query: '?template_id=4711', body: { to: 'a@example.com' } }),
  'mail.tooManyRecipients': () => ({
    body: {
      ...{ from_email: 'b@example.com', body_text: 'Hello' },
      to: Array.from({ length: 2_000 }, (_, index) => ({ email: `a${index}@example.com` })),
    },
  }),
};

/** A service of the same type whose host is away. */
async function awayFrom({ service, type }: Place): Promise<string> {
  const name = `${service}_away`;
  const { body } = await platform.ask('GET', `system/service?filter=name=${name}`);
  const config = configOf(type as 'github', { base: 'http://127.0.0.1:1' });
  if (body.resource.length === 0)
    await platform.create('service', { name, label: name, type, is_active: true, config });
  return name;
}

const repositories: typeof database = {
  'repository.badName': () => ({ values: { repo: 'a%20b' } }),
  'repository.badPath': () => ({ query: '?path=a//b', values: { path: 'a//b' } }),
  'repository.badReference': () => ({ query: '?branch=a..b' }),
  'repository.unreachable': async (place) => ({ service: await awayFrom(place) }),
};

const remote: typeof database = {
  'remote.noAddress': async ({ type }) => ({ service: await remoteAt(type, '') }),
  'remote.unreachable': async ({ type }) => ({ service: await remoteAt(type, 'http://127.0.0.1:1') }),
};

/** A service of that address. */
const remoteAt = (type: string, address: string): Promise<string> =>
  madeOnce(type, address === '' ? 'nowhere' : 'away', type === 'soap' ? { wsdl: address } : { base_url: address });

/** A service of a type and a configuration. */
async function madeOnce(type: string, ending: string, config: object): Promise<string> {
  const name = `${type}_${ending}`;
  const { body } = await platform.ask('GET', `system/service?filter=name=${name}`);
  if (body.resource.length === 0)
    await platform.create('service', { name, label: name, type, is_active: true, config });
  return name;
}

const soap: typeof database = {
  'soap.unknownFunction': () => ({ values: { operation: 'Nothing' }, body: {} }),
  'soap.badArguments': () => ({ query: '?a=%01', body: { a: '\u0001' } }),
  'soap.fault': () => ({ values: { operation: 'Fail' }, query: '?text=No', body: { text: 'No' } }),
  'soap.startup': async ({ type }) => ({ service: await madeOnce(type, 'unread', { wsdl: 'nothing.wsdl' }), body: {} }),
  async 'soap.badAnswer'({ type, service }) {
    const { body } = await platform.ask('GET', `system/service?filter=name=${service}`);
    const { wsdl } = body.resource[0].config;
    const options = { location: new URL('/nothing', wsdl).href };
    return { service: await madeOnce(type, 'astray', { wsdl, options }), body: {} };
  },
};

const endless: Record<string, string> = { python: 'while True: pass', php: 'while (true) {}' };
const print: Record<string, string> = {
  python: 'print("x" * 9000000)',
  php: 'echo str_repeat("x", 9000000);',
};
const toss: Record<string, string> = { python: 'raise Exception("odd")', php: 'throw new Exception("odd");' };

async function scripted({ service }: Place, content: string): Promise<Provocation> {
  const { body } = await platform.ask('GET', `system/service?filter=name=${service}`);
  await platform.ask('PATCH', `system/service/${body.resource[0].id}`, { body: { config: { content } } });
  return {};
}
const scripts: typeof database = {
  'script.timeout': (place) => scripted(place, endless[place.type] ?? 'for (;;);'),
  'script.tooMuchOutput': (place) => scripted(place, print[place.type] ?? 'console.log("x".repeat(9000000));'),
  'script.threw': (place) => scripted(place, toss[place.type] ?? 'throw new Error("odd");'),
};

const documents: typeof database = {
  'docs.version': () => ({ query: '?openapi=2.0', values: { service: 'db' } }),
  'docs.unknown': () => ({ values: { service: 'nothing' } }),
  'docs.noAccess': () => ({ values: { service: 'system' }, token: null }),
  async 'docs.none'() {
    const name = 'leftover';
    const { id } = await platform.create('service', {
      ...{ name, label: name, type: 'local_file', is_active: true, config: { container: name } },
    });
    // Of a type that this server does not have.
    await platform.store.db.updateTable('service').set({ type: 'informix' }).where('id', '=', id).execute();
    await platform.store.bus.publish({ table: 'service' });
    return { values: { service: name } };
  },
};

const people: typeof database = {
  'account.notEnough': () => ({ body: {} }),
  'account.bothPasswords': () => ({ body: { old_password: 'x' } }),
  'account.oldPasswordWrong': async ({ operation: { path }, service }) => ({
    body: { old_password: 'x', new_password: 'correct horse 10' },
    token: await platform.tokenOf(service === 'user' && path === 'password' ? await somebody() : 1),
  }),
  'account.resetWithoutLogin': () => ({ body: { code: 'x' } }),
  'account.resetWithoutPassword': () => ({ body: { code: 'x', email: 'x@example.com' } }),
  'account.codeWrong': () => ({ body: { code: 'x', email: 'x@example.com', new_password: 'correct horse 10' } }),
  'account.noData': () => ({ body: {} }),
  'account.registrationClosed': () => ({
    body: { email: 'new@example.com', first_name: 'N', last_name: 'N', name: 'N', new_password: 'correct horse 9' },
  }),
  'account.registrationInvalid': () => ({ body: {} }),
  'session.missingEmail': () => ({ body: {} }),
  'session.missingPassword': () => ({ body: { email: 'x@example.com' } }),
  'session.credentials': () => ({ body: { email: 'x@example.com', password: 'x' } }),
  'session.badLoginService': () => ({ body: { service: 'files' } }),
  'session.refreshFailed': () => ({ token: null }),
};

const somebody = async () => Number(await makeRecord(platform, 'user'));

const own: typeof database = {
  'record.none': () => ({ body: {} }),
  'record.notFound': () => ({ values: { name: 'nothing' }, query: '?ids=nothing', body: oneOrMany('nothing') }),
  'record.noneToDelete': () => ({}),
  'record.invalid': ({ operation: { path } }) =>
    path === 'profile' ? { body: { email: 'nobody' } } : { body: { resource: [{ name: 'a/b' }] } },
};
const oneOrMany = (name: string) => ({ resource: [{ name, value: 1 }] });

const role = { system: { role: ['exported'] } };
const packages: typeof database = {
  'package.empty': () => ({ body: { service: {} } }),
  'package.itemMissing': ({ operation: { verb } }) =>
    verb === 'GET' ? { query: '?pkg=true&service=nothing' } : { body: { service: { system: { role: [4711] } } } },
  'package.passwordMissing': () => ({ body: { secured: true, service: role } }),
  async 'package.notSaved'() {
    await platform.create('role', { name: 'exported' });
    await platform.ask('POST', 'files/taken.txt', { body: 'x' });
    return { body: { service: role, storage: { name: 'files', folder: 'taken.txt', filename: 'x.zip' } } };
  },
  'package.invalid': async () => uploadOf(await zipFiles({ 'package.json': { version: '0.1' } })),
  'package.manifestUnread': async () => uploadOf(await zipFiles({ 'other.json': {} })),
  'package.notInserted': async () => uploadOf(await packageOf({ 'system/role': [{ name: 'x'.repeat(300) }] })),
  'package.wrongEnding': () => ({ body: { import_url: 'http://localhost/x.tar' } }),
};

/** A form with a file for `system/import`. */
const csvOf = (text: string, fields: Record<string, string> = {}, more: Parameters<typeof uploadOf>[1] = {}) =>
  uploadOf(Buffer.from(text), { name: 'a.csv', fields, ...more });

const imports: typeof database = {
  'import.noFile': () => ({ body: {} }),
  'import.wrongType': () => csvOf('a\n', {}, { name: 'a.json' }),
  'import.severalFiles': () => csvOf('a\n', {}, { count: 2 }),
  async 'import.tableExists'() {
    const service = await tables();
    const form = csvOf('a\n1\n', { service, resource: 'there' });
    await platform.ask('POST', 'system/import', form);
    return form;
  },
  'import.noHeader': async () => csvOf('', { service: await tables() }),
  'import.numericHeader': async () => csvOf('a,1\n', { service: await tables() }),
  'import.emptyHeader': async () => csvOf('a,\n', { service: await tables() }),
  'import.otherGroup': () => csvOf('a\n', { service: 'files' }),
  'import.notFetched': () => ({ body: { import_url: 'http://127.0.0.1/x.csv' } }),
};

let made: Promise<unknown> | undefined;
/** A service with tables. */
async function tables(): Promise<string> {
  const service = { name: 'imports', label: 'Imports', type: 'sqlite', is_active: true };
  made ??= platform.create('service', { ...service, config: { database: 'imports.db' } });
  await made;
  return 'imports';
}

/** The upload of an app package with these parts. */
const appUpload = async (parts: Record<string, unknown>, form: Parameters<typeof uploadOf>[1] = {}) =>
  uploadOf(await zipFiles({ 'description.json': { name: 'made' }, ...parts }), {
    ...{ name: 'a.dfpkg', field: 'file' },
    ...form,
  });
const described = (description: object, form?: Parameters<typeof uploadOf>[1]) =>
  appUpload({ 'description.json': description }, form);
const storedApp = { name: 'made', type: 1, path: 'index.html' };

const apps: typeof database = {
  'app.severalPackages': () => appUpload({}, { count: 2 }),
  'app.notPackage': () => ({ body: { import_url: 'http://localhost/x.zip' } }),
  'app.packageUnopened': () => uploadOf(Buffer.from('no zip'), { name: 'a.dfpkg', field: 'file' }),
  'app.noDescription': async () => uploadOf(await zipFiles({ a: '' }), { name: 'a.dfpkg', field: 'file' }),
  'app.nameless': () => described({ type: 0 }),
  'app.pathless': () => described({ name: 'made', type: 1 }),
  'app.urlless': () => described({ name: 'made', type: 2 }),
  'app.badStorage': () => described(storedApp, { fields: { storage_service_id: '4711' } }),
  'app.schemaEmpty': () => appUpload({ 'schema.json': {} }),
  'app.dataEmpty': () => appUpload({ 'data.json': {} }),
  'app.notCreated': () => described({ name: 'admin' }),
  'app.servicesNotCreated': () => appUpload({ 'services.json': [{ name: 'a b', type: 'local_file', config: {} }] }),
  'app.tablesNotCreated': () => appUpload({ 'schema.json': { service: [{ name: 'nothing', table: [] }] } }),
  async 'app.filesNotImported'() {
    const folder = join(platform.folder, 'files', 'app', 'linked');
    await mkdir(folder, { recursive: true });
    await symlink('/tmp', join(folder, 'out'));
    const fields = { storage_container: 'linked' };
    return appUpload({ 'description.json': storedApp, 'out/a.html': 'x' }, { fields });
  },
  'app.unknown': () => ({ values: { id: '4711' }, query: '?pkg=true' }),
  'app.badSchemaParameter': () => ({ query: '?pkg=true&schema=[]' }),
  async 'app.fileReserved'() {
    await platform.ask('POST', 'files/reserved/');
    await platform.ask('POST', 'files/reserved/data.json', { body: 'x' });
    const { id } = await platform.create('app', {
      ...{ ...storedApp, name: 'reserved' },
      ...{ storage_service_id: 3, storage_container: 'reserved' },
    });
    return { values: { id: String(id) }, query: '?pkg=true&include_files=true' };
  },
  'package.badPart': () => described([]),
  'package.notFetched': () => ({ body: { import_url: 'http://127.0.0.1/x.dfpkg' } }),
  'file.badZip': () => appUpload({ 'A.html': 'x', 'a.html': 'y' }),
  async 'file.exists'() {
    await platform.ask('POST', 'files/taken.app/');
    await platform.ask('POST', 'files/taken.app/index.html', { body: 'x' });
    const fields = { storage_container: 'taken.app' };
    return appUpload({ 'description.json': storedApp, 'index.html': 'y' }, { fields });
  },
};

const system: typeof database = {
  'record.none': ({ operation: { path, verb } }) =>
    verb === 'DELETE' ? {} : { body: {}, values: { name: `${resourceOf(path)}.new` } },
  'record.batch': ({ operation: { verb } }) =>
    verb === 'GET'
      ? { query: '?ids=4711,4712' }
      : {
          body: verb === 'POST' ? { resource: [{}, {}] } : two,
          ...(verb === 'DELETE' ? { query: '?ids=4711,4712' } : {}),
        },
  'record.notFound': ({ operation }) =>
    isOne(operation)
      ? { values: { id: '4711', name: 'nothing' }, body: { type: 'local_file' } }
      : { query: '?ids=4711', body: { resource: [{ id: 4711, name: 'nothing' }] } },
  'record.byFilter': () => ({ query: '?filter=(name = 1)' }),
  'record.noneToDelete': () => ({}),
  async 'record.stale'({ operation: { path } }) {
    const id = await makeRecord(platform, resourceOf(path));
    return { values: { id, name: id }, headers: { 'if-match': '"another"' }, body: { description: 'b' } };
  },
  'record.moreThanOne': () => ({ values: { id: '4711', name: 'nothing' }, body: { resource: [{}, {}] } }),
  'filter.unparsable': () => ({ query: '?filter=(((' }),
  'filter.orderField': () => ({ query: '?order=nothing' }),
  'record.invalid': ({ operation: { path } }): Provocation => {
    if (path === 'event_script/{name}') return { values: { name: 'a.new' }, body: { type: 'nonsense' } };
    if (path === 'service/_use') return { query: '?hours=0' };
    if (path.endsWith('/_test'))
      return { values: { id: '3' }, body: { type: 'local_file', config: { container: '' } } };
    if (path === 'admin/profile') return { body: { email: 'nobody' } };
    return { body: path.includes('/_') ? {} : { resource: [{}] } };
  },
  'service.unknown': ({ operation: { path } }) =>
    path === 'import'
      ? csvOf('a\n', { service: 'nothing' })
      : { values: { service: 'nothing' }, query: '?service=nothing' },
  'service.noCache': () => ({ values: { service: 'files' } }),
  'mail.notText': () => ({ body: { to: 5, subject: { a: 1 }, body_text: 'Hello' } }),
  'mail.noContent': () => ({ body: { to: 'a@example.com', from_email: 'b@example.com', subject: 'Hello' } }),
  'script.notLinkable': () => ({ query: '?storage_service_id=4711&storage_path=a.js' }),
  'script.typeUnknown': () => ({ values: { name: 'nothing' } }),
  'service.typeNotFound': () => ({ values: { name: 'nothing' } }),
  'service.unsupportedOnWrite': () => ({ values: { id: '3' }, body: { type: 'nothing' } }),
  ...packages,
  ...imports,
  ...apps,
  ...people,
};

const keyValues = { key: 'k'.repeat(201) };
const caches: typeof database = {
  'cache.noKeyToRetrieve': () => ({}),
  'cache.noKeyToDelete': () => ({}),
  'cache.missing': () => ({ values: { key: 'nothing' } }),
  'cache.badKey': ({ operation: { path } }) =>
    path === '' ? { body: { [keyValues.key]: 1 } } : { values: keyValues, body: { a: 1 } },
  'cache.noValue': () => ({ body: {} }),
  'cache.badTtl': () => ({ query: '?ttl=soon', body: { a: 1 } }),
  'cache.notPairs': () => ({ body: [1] }),
  'cache.tooManyKeys': () => ({
    body: Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, 1])),
  }),
  'cache.valueTooLarge': () => ({ body: { a: 'x'.repeat(1_048_576) } }),
  async 'cache.exists'({ service }) {
    await platform.ask('PUT', `${service}/made`, { body: { a: 1 } });
    return { body: { a: 1 } };
  },
  async 'cache.someExist'({ service }) {
    await platform.ask('PUT', `${service}/made`, { body: { a: 1 } });
    return { body: { made: 1 } };
  },
};
/** A service of the directory of another one, with a configuration that differs. */
async function directoryLike({ service }: Place, name: string, config: object): Promise<string> {
  const { body } = await platform.ask('GET', `system/service?filter=name=${name}`);
  if (body.resource.length > 0) return name;
  const like = (await platform.ask('GET', `system/service?filter=name=${service}`)).body.resource[0].config;
  await platform.create('service', {
    ...{ name, label: name, type: 'adldap', is_active: true },
    config: { host: like.host, base_dn: like.base_dn, username: like.username, password: 'x', ...config },
  });
  return name;
}

/** The port of a directory that has ten thousand entries and one. */
async function endlessDirectory(): Promise<number> {
  const { port, stop } = await startFakeDirectory((id, tag) =>
    tag === 0x60
      ? done(id, 0x61)
      : Buffer.concat([...Array.from({ length: 10_001 }, () => entry(id, 'dc=a')), done(id, 0x65)]),
  );
  releases.push(stop);
  return port;
}

const directories: typeof database = {
  'directory.noAccount': async (place) => ({
    service: await directoryLike(place, 'ad_alone', { username: '', password: '' }),
  }),
  'directory.badAccount': async (place) => ({ service: await directoryLike(place, 'ad_wrong', {}) }),
  'directory.unreachable': async (place) => ({
    service: await directoryLike(place, 'ad_away', { host: '127.0.0.1:1' }),
  }),
  'directory.badAttribute': () => ({ query: '?fields=a b' }),
  'directory.badFilter': () => ({ query: '?filter=((' }),
  'directory.tooMany': async (place) => ({
    service: await directoryLike(place, 'ad_endless', { host: `127.0.0.1:${await endlessDirectory()}` }),
  }),
  'record.notFound': () => ({ query: '?user=nobody' }),
};

const messages: typeof database = {
  'message.noTopic': ({ operation: { path } }) => ({ body: path === 'pub' ? {} : [{ service: { endpoint: 'db' } }] }),
  'message.noMessage': () => ({ body: { topic: 'a' } }),
  'message.badTopic': () => ({ body: { topic: 'a/#/b', message: 'x', resource: [{ topic: 'a#' }] } }),
  'message.tooLarge': () => ({ body: { topic: 'a', message: 'x'.repeat(300_000) } }),
  'message.noSubscriptions': () => ({ body: [] }),
  'message.badCall': () => ({ body: [{ topic: 'a', service: {} }] }),
  'message.tooManySubscriptions': () => ({ body: Array.from({ length: 51 }, () => ({ topic: 'a' })) }),
  'message.notSubscribed': () => ({ query: '?topic=nowhere' }),
  async 'message.unreachable'() {
    const config = { host: '127.0.0.1', port: 1, client_id: 'x' };
    await platform.create('service', { name: 'away_broker', label: 'A', type: 'mqtt', is_active: true, config });
    return { service: 'away_broker', body: { topic: 'a', message: 'x' } };
  },
};

/** The key of an app, with no device. */
const appKey = async (): Promise<string> => {
  const name = `devices${++appsMade}`;
  const role = await platform.create('role', {
    ...{ name, is_active: true },
    role_service_access_by_role_id: [{ service_id: null, component: '*', verb_mask: 31, requestor_mask: 1 }],
  });
  return String((await platform.create('app', { name, type: 0, is_active: true, role_id: role.id })).api_key);
};
let appsMade = 0;
const asApp = async (body: object): Promise<Provocation> => ({ body, key: await appKey() });
const aToken = 'a'.repeat(64);

const pushes: typeof database = {
  'push.noMessage': () => ({ body: {} }),
  'push.noKey': () => ({ body: { message: 'x' } }),
  'push.noDevices': () => asApp({ message: 'x' }),
  'push.noToken': () => asApp({}),
  'push.badToken': () => asApp({ message: 'x', device_token: '../x', old_token: 'a b' }),
  'push.tooManyTokens': () => asApp({ message: 'x', device_token: Array(1_001).fill(aToken) }),
  async 'push.registered'({ service }) {
    const provocation = await asApp({ device_token: aToken });
    await platform.ask('POST', `${service}/register`, provocation);
    return provocation;
  },
  'push.oldTokenUnknown': () => asApp({ old_token: aToken, new_token: aToken }),
  'push.noTarget': () => ({ body: { Message: 'x' } }),
  'push.nothingToPublish': ({ operation: { path } }) => ({
    values: { id: path.startsWith('topic') ? 'a' : 'endpoint/GCM/a/b' },
    body: { Topic: 'a' },
  }),
  'push.tooLarge': ({ operation: { path } }) => ({
    values: { id: path.startsWith('topic') ? 'a' : 'endpoint/GCM/a/b' },
    body: { Topic: 'a', Message: 'x'.repeat(300_000) },
  }),
  'push.badIdentifier': () => ({
    values: { id: 'a%20b' },
    body: { Topic: 'a b', Message: 'x', AttributeName: 'a', AttributeValue: 'b' },
  }),
  'push.badField': () => ({ body: {} }),
  async 'push.unreachable'({ operation: { path } }) {
    const config = { key: 'id', secret: 'x', region: 'eu-west-1', endpoint: 'http://127.0.0.1:1' };
    const { body } = await platform.ask('GET', 'system/service?filter=name=away_sns');
    if (body.resource.length === 0)
      await platform.create('service', { name: 'away_sns', label: 'A', type: 'aws_sns', is_active: true, config });
    const kind = path.split('/')[0] || 'topic';
    const names = new Map([
      ['topic', 'a'],
      ['subscription', 'a:b'],
      ['app', 'app/GCM/a'],
      ['endpoint', 'endpoint/GCM/a/b'],
    ]);
    const made = { Name: 'a', Platform: 'GCM', Topic: 'a', Protocol: 'sms', Application: 'app/GCM/a', Token: 'x' };
    const changed = { Message: 'x', Attributes: { a: 'b' } };
    return { service: 'away_sns', values: { id: names.get(kind) ?? '' }, body: { ...made, ...changed } };
  },
};

const samlProviders: typeof database = {
  'saml.invalidResponse': ({ operation: { verb } }) => (verb === 'GET' ? {} : { body: {} }),
  'saml.noAddress': () => ({ headers: { host: 'api.example.com' } }),
};
const providers: typeof database = { 'provider.noToken': () => ({ body: {} }) };

const logs: typeof database = {
  'log.noMessage': () => ({ body: {} }),
  'log.badLevel': () => ({ body: { message: 'a', level: 'LOUD' } }),
};

/** It is another name of an operation that is tried, and each try takes a second. */
const isSame = ({ verb, path }: ListedOperation, group: string): boolean =>
  (group === 'Script' && verb !== 'GET') || (/password$/.test(path) && verb !== 'POST');

const groups: Record<string, typeof database> = {
  ...{ Database: database, File: files, Email: mails, 'Source Control': repositories, Script: scripts, Cache: caches },
  ...{ 'Remote Service': { ...remote, ...soap }, Log: logs, LDAP: directories, OAuth: providers, IoT: messages },
  Notification: pushes,
  SSO: samlProviders,
  ...{ 'API Doc': documents, User: { ...people, ...own }, System: system },
};

/** The words of an error as a pattern; values stand for anything. */
const patternOf = (key: ErrorKey): RegExp =>
  new RegExp(
    `^${errorText(key)
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{\w+\}|…/g, '[\\s\\S]*')}`,
  );

/** Types share tables of operations: in its short form the test takes one of those that say the same. */
const isLong = soakRounds(0, 1) === 1;
const tried = new Set<string>();
const isAlike = ({ group, routes }: ServiceType): boolean => {
  const declared = JSON.stringify([group, routes.operations.map(({ verb, path, errors }) => [verb, path, errors])]);
  return tried.size === tried.add(declared).size;
};

for (const type of platform.types) {
  const example = await exampleOf(type.name);
  const missing = await example.missing?.();
  if (!missing && isAlike(type) && !isLong) continue;
  describe.skipIf(missing)(missing ? `${type.name}: ${missing}` : type.name, () => {
    it('answers every error it declares', async () => {
      const { service, release } = await makeExample(platform, type);
      if (release) releases.push(release);
      if (type.group === 'Database')
        await platform.ask('POST', `${service}/_table/note`, { body: [{ id: 1, title: 'a' }] });
      const items = [{ name: 'made', type: 'folder' }, { path: 'made/note.txt' }, { path: 'note.txt' }];
      if (type.group === 'File') await platform.ask('POST', `${service}/`, { body: { resource: items } });
      const wrong: string[] = [];
      for (const operation of type.routes.operations)
        for (const key of operation.errors ?? []) {
          if (isSame(operation, type.group)) continue;
          const provoke = groups[type.group]?.[key];
          const line = `${operation.verb} ${operation.path}${operation.endsInSlash ? '/' : ''} ${key}`;
          if (!provoke) {
            wrong.push(`${line}: nothing provokes it`);
            continue;
          }
          const {
            values = {},
            query = '',
            service: other,
            ...options
          } = await provoke({ operation, type: type.name, service });
          const known = new Map(Object.entries({ ...example.values, ...values }));
          const path = operation.path.replace(/\{([^}]*)\}/g, (_, name: string) => known.get(name) ?? '1');
          const token = /session|password/.test(path) ? await platform.tokenOf(1) : platform.adminToken;
          const { status, text, body } = await platform.ask(
            operation.verb,
            `${other ?? service}/${path}${query.replaceAll(' ', '%20')}`,
            {
              token,
              ...options,
            },
          );
          const isIt = status === errors[key].status && patternOf(key).test(body?.error?.message ?? '');
          if (!isIt) wrong.push(`${line}: ${status} ${text.slice(0, 200)}`);
        }
      expect(wrong).toEqual([]);
    });
  });
}

/** What fails as any call may, by service type or for all of them: lists of names, and calls that always succeed. */
const plain = new Set([
  ...['GET ', 'GET _table', 'GET _schema', 'GET _proc', 'GET _func'],
  ...['GET app/_use', 'GET cache', 'DELETE cache', 'DELETE cache/_event', 'DELETE cache/_event/{name}'],
  ...['GET constant', 'GET environment', 'GET event', 'GET event_script/_runs', 'GET package', 'GET script_type'],
  ...['GET service_type', 'GET sub'],
  ...['GET admin/profile', 'GET admin/session', 'DELETE admin/session'],
  ...['GET profile', 'GET session', 'DELETE session', 'GET custom'],
]);

it('every operation declares errors of its own, or is known to have none', () => {
  const lines = (has: (operation: ListedOperation) => boolean) =>
    new Set(
      platform.types.flatMap(({ routes }) => routes.operations.filter(has).map(({ verb, path }) => `${verb} ${path}`)),
    );
  const without = lines(({ errors = [] }) => errors.length === 0);
  expect([...without].filter((line) => !plain.has(line))).toEqual([]);
  expect([...plain].filter((line) => !without.has(line))).toEqual([]);
});
