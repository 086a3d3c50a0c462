// The records of `system` that a package has, written in one transaction of the store: all of them or none, whatever their order
// (contract/packages.md §4). The record engine writes them, so that their rules, the audit and the caches see them as any other.
import { type ConfigFields, Failure, fail, type ItemField, type ResourceName, secretMask } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { Call } from '../../call/call.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { isRestorableHash } from '../../identity/passwords.ts';
import { nextValidFrom } from '../../identity/revoked.ts';
import type { WriteContext } from '../../records/change.ts';
import { anyTable, findRow, selectOwnRows } from '../../records/rows.ts';
import { updateRow } from '../../records/write-row.ts';
import type { RecordId, ServedResource, StoredRow } from '../../resource/resource.ts';
import { folded } from '../../store/index.ts';
import type { PackageContent } from './content.ts';
import { type PackageParts, wordsOf } from './inside.ts';
import { identifierOf, type PackageKind } from './kinds.ts';
import type { ImportLog } from './log.ts';

/** Only the records' own failures and ids are wanted. */
export const alone = { fields: undefined, related: [], continue: false, rollback: false };

/** Seeded records have the same ids everywhere: those of services and of apps (contract §4). */
const builtIn = { service: 7, app: 3, email_template: 3 } as const;

/** An import on its way, in its transaction. */
export interface RecordImport {
  parts: Pick<PackageParts, 'records' | 'services'>;
  call: Call;
  transaction: WriteContext;
  content: PackageContent['system'];
  overwrite: boolean;
  log: ImportLog;
  /** By kind: the id of a record in the package → its id here. */
  ids: Map<string, Map<number, number>>;
}

/** A record that was written, as the package has it and as it is here. */
export interface Written {
  input: RecordInput;
  id: RecordId;
  isNew: boolean;
}

export async function importSystemRecords(given: Omit<RecordImport, 'ids'>): Promise<void> {
  const work: RecordImport = { ...given, ids: new Map() };
  const roles = await step('roles', () => writeKind(work, 'role', (input) => without(input, [accessRelation])));
  const services = await step('services', () => writeServices(work));
  await step('role_service_access', () => writeAccess(work, roles));
  await step('apps', () => writeKind(work, 'app', (input) => prepareApp(work, input)));
  const users = await step('users', () => writePeople(work, 'user'));
  await step('user_to_app_to_role', () => writeAssignments(work, 'user', users));
  const admins = await step('system/admin', () => writePeople(work, 'admin'));
  await step('system/admin', () => writeAssignments(work, 'admin', admins));
  for (const resource of ['cors', 'lookup', 'email_template', 'custom'] as const)
    await step(`system/${resource}`, () => writeKind(work, resource, (input) => input));
  await step('system/limit', () => writeKind(work, 'limit', (input) => prepareLimit(work, input)));
  await step('services', () => writeReferences(work, services));
  await step('event_script', () => writeKind(work, 'event_script', (input) => prepareScript(work, input)));
}

/** Runs a step; its failure says which it was. */
async function step<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Failure ? notInserted(what, error) : error;
  }
}

/** The failure of a step; one that says 403 or more than 500 keeps its status. */
export function notInserted(what: string, error: Failure): Failure {
  const status = error.status === 403 || error.status > 500 ? { status: error.status } : {};
  return fail('package.notInserted', { what, text: wordsOf(error) }, { cause: error, ...status });
}

// ---- records of any kind ----

/** Writes the records of a kind as `prepare` makes them; undefined leaves one out. */
async function writeKind(
  work: RecordImport,
  resource: ResourceName,
  prepare: (input: RecordInput) => RecordInput | undefined | Promise<RecordInput | undefined>,
): Promise<Written[]> {
  const { kind, records } = work.content.get(resource) ?? {};
  if (!kind || !records) return [];
  const written: Written[] = [];
  for (const input of records) {
    await pause();
    const prepared = await prepare(input);
    const result = prepared && (await writeRecord(work, kind, input, prepared));
    if (result) written.push(result);
  }
  return written;
}

/** Creates a record, or changes the one that is there where the import overwrites; undefined where it stays as it is. */
async function writeRecord(
  work: RecordImport,
  kind: PackageKind,
  original: RecordInput,
  prepared: RecordInput,
): Promise<Written | undefined> {
  const { parts, call, transaction, overwrite, log } = work;
  const { resource } = kind;
  const identifier = identifierOf(kind);
  const scope = { actor: call, transaction };
  const keyValue = original[kind.key];
  const named = `system/${resource} with ${kind.key} ${keyValue}`;
  const existing = await findExisting(work, kind, keyValue);
  const input = cleanRecord(transaction.resourceOf(resource), prepared, identifier === 'id');
  if (!existing) {
    const { row } = await parts.records.createOne(resource, input, alone, scope);
    const id = row[identifier] as RecordId;
    remember(work, resource, original.id, id);
    log.count();
    return { input: original, id, isNew: true };
  }
  const id = existing[identifier] as RecordId;
  remember(work, resource, original.id, id);
  const isOwn = kind.key !== 'email' || (existing.is_sys_admin === 1) === (resource === 'admin');
  if (!overwrite || !isOwn) {
    log.add('notice', `Ignored duplicate found for ${named}`);
    return undefined;
  }
  const update = { id, input: await mergeRelations(work, resource, id, input) };
  await parts.records.updateOne(resource, update, alone, scope);
  log.add('notice', `Overwrote duplicate found for ${named}`);
  log.count();
  return { input: original, id, isNew: false };
}

async function findExisting(
  { transaction, log }: RecordImport,
  { resource, key }: PackageKind,
  value: unknown,
): Promise<StoredRow | undefined> {
  if (value === undefined || value === null || value === '') {
    log.add('warning', `Skipped duplicate check for system/${resource} by key/field ${key}. Key/Field is not set`);
    return undefined;
  }
  const served = transaction.resourceOf(resource);
  const isUnique = served.definition.fields[key]?.rules.unique === true;
  // People of both kinds share their addresses.
  const rows =
    key === 'email' ? anyTable(transaction.db).selectFrom(served.table) : selectOwnRows(transaction.db, served);
  return rows
    .selectAll()
    .where(isUnique ? `${key}_folded` : key, '=', isUnique ? folded(String(value)) : String(value))
    .executeTakeFirst();
}

/** Notes the id here of a record that the package calls otherwise. */
export function remember({ ids }: RecordImport, resource: string, old: unknown, id: RecordId): void {
  if (typeof id !== 'number' || (typeof old !== 'number' && typeof old !== 'string')) return;
  const known = ids.get(resource) ?? new Map<number, number>();
  ids.set(resource, known.set(Number(old), id));
}

/** A record without what belongs to where it came from. */
function cleanRecord({ definition }: ServedResource, input: RecordInput, hasId: boolean): RecordInput {
  const record = without(input, [
    ...(hasId ? ['id'] : []),
    ...['created_by_id', 'last_modified_by_id', 'created_date', 'last_modified_date'],
  ]);
  for (const name of Object.keys(definition.relations))
    if (Object.hasOwn(record, name)) {
      const rows = nestedRelations.has(name) ? record[name] : undefined;
      if (Array.isArray(rows)) record[name] = rows.filter(isRecord).map(cleanRow);
      else if (isRecord(rows)) record[name] = cleanRow(rows);
      else delete record[name];
    }
  return withoutMask(record);
}

const accessRelation = 'role_service_access_by_role_id';
const assignmentRelation = 'user_to_app_to_role_by_user_id';
const nestedRelations = new Set([
  ...['lookup_by_role_id', 'lookup_by_app_id', 'lookup_by_user_id', 'service_doc_by_service_id'],
  'role_adldap_by_role_id',
]);
const ownerFields = ['role_id', 'app_id', 'user_id', 'service_id'];

/** A nested row without ids of where it came from. */
const cleanRow = (row: RecordInput): RecordInput =>
  withoutMask(
    without(row, [
      ...['id', ...ownerFields, 'created_by_id', 'last_modified_by_id', 'created_date', 'last_modified_date'],
    ]),
  );

/** A mask says that a value was left out: it never becomes the value. */
const withoutMask = (record: RecordInput): RecordInput =>
  without(
    record,
    Object.keys(record).filter((name) => record[name] === secretMask),
  );

const without = (record: RecordInput, names: readonly string[]): RecordInput =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** Nested rows replace those that say the same of the same: a second import adds none. */
async function mergeRelations(
  { transaction }: RecordImport,
  resource: ResourceName,
  id: RecordId,
  input: RecordInput,
): Promise<RecordInput> {
  const merged = { ...input };
  for (const [relation, matches] of matchingFields)
    if (Array.isArray(merged[relation])) {
      const { resource: target, field } = transaction.resourceOf(resource).definition.relations[relation] ?? {};
      if (!target || !field) continue;
      const left = await anyTable(transaction.db)
        .selectFrom(transaction.resourceOf(target).table)
        .selectAll()
        .where(field, '=', id)
        .orderBy('id')
        .execute();
      merged[relation] = (merged[relation] as RecordInput[]).map((row) => {
        const at = left.findIndex((stored) => matches.every((name) => (stored[name] ?? null) === (row[name] ?? null)));
        return at < 0 ? row : { ...row, id: left.splice(at, 1)[0]?.id };
      });
    }
  return merged;
}

const matchingFields = new Map<string, string[]>([
  [accessRelation, ['service_id', 'component', 'requestor_mask']],
  [assignmentRelation, ['app_id']],
]);

// ---- ids ----

/** The id here of a record that the package calls so; undefined where there is none. */
function idHere({ ids }: RecordImport, resource: string, old: unknown): number | undefined {
  const number = Number(old);
  const found = ids.get(resource)?.get(number);
  if (found !== undefined) return found;
  const last = Object.hasOwn(builtIn, resource) ? builtIn[resource as keyof typeof builtIn] : 0;
  return number >= 1 && number <= last ? number : undefined;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

// ---- services ----

/** What a field of a configuration names. */
const referenceKinds = new Map<unknown, string>([
  ['role', 'role'],
  ['app', 'app'],
  ['service', 'service'],
  ['email_service', 'service'],
  ['email_template', 'email_template'],
]);

const kindLabels = new Map([
  ['role', 'Role'],
  ['app', 'App'],
  ['service', 'Service'],
  ['email_template', 'Email template'],
]);

/** The script of a service lies in another one. */
const referenceOf = (name: string, choices: unknown): string | undefined =>
  name === 'storage_service_id' ? 'service' : referenceKinds.get(choices);

/** Services without what their configurations name; `writeReferences` adds that once all of it is there. */
export async function writeServices(work: RecordImport): Promise<Written[]> {
  return writeKind(work, 'service', async (input) => {
    const type = work.parts.services().type(String(input.type));
    if (!type) {
      work.log.add('warning', `Skipping service ${input.name}. Service type ${input.type} is not known.`);
      return undefined;
    }
    const missing = Object.entries(type.config ?? {}).filter(
      ([name, field]) => field.required && field.secret && isRecord(input.config) && input.config[name] === secretMask,
    );
    if (missing.length > 0 && !(await isServiceHere(work, input.name))) {
      const names = missing.map(([name]) => name).join(', ');
      work.log.add('warning', `Skipping service ${input.name}. Its ${names} is a secret, which no package has.`);
      return undefined;
    }
    const config = isRecord(input.config) ? withoutReferences(type.config ?? {}, input.config) : undefined;
    return { ...without(input, ['config']), ...(config ? { config } : {}) };
  });
}

const isServiceHere = async ({ transaction }: RecordImport, name: unknown): Promise<boolean> =>
  (await anyTable(transaction.db)
    .selectFrom('service')
    .select('id')
    .where('name_folded', '=', folded(String(name)))
    .executeTakeFirst()) !== undefined;

const isReference = (name: string, field: { choices?: unknown; items?: unknown }): boolean =>
  referenceOf(name, field.choices) !== undefined ||
  (Array.isArray(field.items) &&
    (field.items as ItemField[]).some((item) => referenceOf(item.name, item.choices) !== undefined));

const withoutReferences = (fields: ConfigFields, config: RecordInput): RecordInput =>
  without(
    config,
    Object.entries(fields)
      .filter(([name, field]) => isReference(name, field))
      .map(([name]) => name),
  );

export async function writeReferences(work: RecordImport, services: Written[]): Promise<void> {
  for (const { input, id } of services) {
    const fields = work.parts.services().type(String(input.type))?.config ?? {};
    const config = isRecord(input.config) ? input.config : {};
    const references = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      if (!isReference(name, field) || isAbsent(config[name])) return [];
      if (!Array.isArray(field.items)) {
        const value = remapReference(work, input, name, referenceOf(name, field.choices), config[name]);
        return value === undefined ? [] : [[name, value]];
      }
      const rows = Array.isArray(config[name]) ? config[name].filter(isRecord) : [];
      return [[name, rows.flatMap((row) => remapRow(work, input, field.items as ItemField[], row))]];
    });
    if (references.length === 0) continue;
    const update = { id, input: { config: Object.fromEntries(references) } };
    await work.parts.records.updateOne('service', update, alone, { actor: work.call, transaction: work.transaction });
  }
}

function remapReference(
  work: RecordImport,
  { name: service }: RecordInput,
  field: string,
  kind: string | undefined,
  old: unknown,
): unknown {
  if (kind === undefined || isAbsent(old)) return old;
  const id = idHere(work, kind, old);
  if (id !== undefined) return id;
  const what = field === 'default_role' || field.endsWith('_role_id') ? 'Default role' : kindLabels.get(kind);
  const by = kind === 'role' ? 'by role id' : 'by id';
  work.log.add('warning', `Skipping config for service ${service}. ${what} not found ${by} ${old}`);
  return undefined;
}

/** A row of a list in a configuration; none where it names what is not here. */
function remapRow(work: RecordImport, service: RecordInput, items: ItemField[], row: RecordInput): RecordInput[] {
  const mapped: RecordInput = without(row, ['id']);
  for (const item of items) {
    const kind = referenceOf(item.name, item.choices);
    if (kind === undefined || isAbsent(row[item.name])) continue;
    const value = remapReference(work, service, item.name, kind, row[item.name]);
    if (value === undefined) return [];
    mapped[item.name] = value;
  }
  return [mapped];
}

// ---- what names others ----

async function writeAccess(work: RecordImport, roles: Written[]): Promise<void> {
  for (const { input, id } of roles) {
    const rows = Array.isArray(input[accessRelation]) ? input[accessRelation].filter(isRecord) : [];
    const mapped = rows.flatMap((row): RecordInput[] => {
      const service = isAbsent(row.service_id) ? null : idHere(work, 'service', row.service_id);
      if (service !== undefined) return [{ ...cleanRow(row), service_id: service }];
      const text = `Skipping relation ${accessRelation} with id ${row.id} for Role ${input.name}.`;
      work.log.add('warning', `${text} Service not found for ${row.service_id}`);
      return [];
    });
    await writeRelation(work, 'role', id, accessRelation, mapped);
  }
}

async function writeRelation(
  work: RecordImport,
  resource: ResourceName,
  id: RecordId,
  relation: string,
  rows: RecordInput[],
): Promise<void> {
  if (rows.length === 0) return;
  const input = await mergeRelations(work, resource, id, { [relation]: rows });
  const { call, transaction } = work;
  await work.parts.records.updateOne(resource, { id, input }, alone, { actor: call, transaction });
}

async function prepareApp(work: RecordImport, input: RecordInput): Promise<RecordInput> {
  const app: RecordInput = { ...input };
  const named = { role_id: ['role', 'Role'], storage_service_id: ['service', 'Service'] } as const;
  for (const [field, [kind, label]] of Object.entries(named)) {
    if (isAbsent(input[field])) continue;
    app[field] = idHere(work, kind, input[field]) ?? null;
    if (app[field] === null)
      work.log.add('warning', `Skipping ${field} for app ${input.name}. ${label} not found for ${input[field]}`);
  }
  const other =
    typeof input.api_key === 'string' && input.api_key !== secretMask
      ? await anyTable(work.transaction.db)
          .selectFrom('app')
          .select('name')
          .where('api_key', '=', input.api_key)
          .executeTakeFirst()
      : undefined;
  if (other && folded(String(other.name)) !== folded(String(input.name))) {
    work.log.add('notice', `Duplicate API Key found for app ${input.name}. Regenerating API Key.`);
    delete app.api_key;
  }
  return app;
}

async function writePeople(work: RecordImport, resource: 'user' | 'admin'): Promise<Written[]> {
  const people = await writeKind(work, resource, (input) => {
    const person = without(input, ['password', 'security_answer', assignmentRelation, 'default_app_id']);
    if (isAbsent(input.default_app_id)) return person;
    const app = idHere(work, 'app', input.default_app_id);
    if (app !== undefined) return { ...person, default_app_id: app };
    const text = `Skipping default_app_id for ${resource} ${input.email}.`;
    work.log.add('warning', `${text} App not found for ${input.default_app_id}`);
    return person;
  });
  for (const person of people) await restorePassword(work, resource, person);
  return people;
}

/** Puts a hash back as it is; only administrators do, since the writer of a hash chooses the password. */
async function restorePassword(
  work: RecordImport,
  resource: 'user' | 'admin',
  { input, id, isNew }: Written,
): Promise<void> {
  const { password } = input;
  if (isAbsent(password)) return;
  const isAllowed = work.call.caller.user?.isAdmin === true;
  if (!isAllowed || typeof password !== 'string' || !isRestorableHash(password)) {
    const reason = isAllowed ? 'It is no hash that this server takes.' : 'Only administrators import passwords.';
    work.log.add('warning', `Skipping password for ${resource} ${input.email}. ${reason}`);
    return;
  }
  const served = work.transaction.resourceOf(resource);
  const row = await findRow(work.transaction.db, served, id);
  if (!row) return;
  const ended =
    isNew || row.password === password ? {} : { tokens_valid_from: nextValidFrom(Number(row.tokens_valid_from)) };
  await updateRow(served, row, { password, ...ended }, work.transaction);
}

async function writeAssignments(work: RecordImport, resource: 'user' | 'admin', people: Written[]): Promise<void> {
  for (const { input, id } of people) {
    const rows = Array.isArray(input[assignmentRelation]) ? input[assignmentRelation].filter(isRecord) : [];
    const mapped = rows.flatMap((row): RecordInput[] => {
      const [app, role] = [idHere(work, 'app', row.app_id), idHere(work, 'role', row.role_id)];
      if (app !== undefined && role !== undefined) return [{ app_id: app, role_id: role }];
      const text = `Skipping relation ${assignmentRelation} with id ${row.id} for ${resource} ${input.email}.`;
      const [what, old] = role === undefined ? ['Role', row.role_id] : ['App', row.app_id];
      work.log.add('warning', `${text} ${what} not found for id ${old}`);
      return [];
    });
    await writeRelation(work, resource, id, assignmentRelation, mapped);
  }
}

function prepareLimit(work: RecordImport, input: RecordInput): RecordInput | undefined {
  const limit: RecordInput = without(input, ['key_text']);
  for (const [field, kind, label] of [
    ['role_id', 'role', 'Role'],
    ['service_id', 'service', 'Service'],
    ['user_id', 'user', 'User'],
  ] as const) {
    if (isAbsent(input[field])) continue;
    const id = idHere(work, kind, input[field]);
    if (id === undefined) {
      work.log.add('warning', `Skipping limit ${input.name}. ${label} not found for ${input[field]}`);
      return undefined;
    }
    limit[field] = id;
  }
  return limit;
}

function prepareScript(work: RecordImport, input: RecordInput): RecordInput | undefined {
  if (isAbsent(input.storage_service_id)) return input;
  const id = idHere(work, 'service', input.storage_service_id);
  if (id !== undefined) return { ...input, storage_service_id: id };
  work.log.add('warning', `Skipping event_script ${input.name}. Service not found for ${input.storage_service_id}`);
  return undefined;
}
