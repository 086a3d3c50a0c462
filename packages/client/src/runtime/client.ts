import { ofOneRecord, SluiceError } from './errors.ts';
import { Filter, quoteName } from './filter.ts';
import { encodePath, encodeSegment, openConnection, type Send } from './send.ts';
import type { ApiShape, CallOptions, Client, ClientOptions, FileEntry, Files, Page } from './types.ts';

// ---- The client ----

/** A schema of records: its relations with whether they are to many, and the number of the schema they lead to (-1: unknown). */
export type RecordData = readonly (readonly [relation: string, isMany: boolean, target: number])[];
/** A table: the fields of its key, and the number of its schema. */
export type TableData = readonly [name: string, key: readonly string[], schema: number];

/** What the client knows of an instance besides its types. Lists, as names may be any. */
export interface ApiData {
  records: readonly RecordData[];
  databases: readonly (readonly [service: string, tables: readonly TableData[]])[];
  procedures: readonly (readonly [service: string, names: readonly string[]])[];
  functions: readonly (readonly [service: string, names: readonly string[]])[];
  files: readonly string[];
}

interface RelatedChoice {
  fields?: readonly string[] | undefined;
  related?: Readonly<Record<string, true | RelatedChoice | undefined>> | undefined;
  order?: readonly Order[] | undefined;
  limit?: number | undefined;
}

type Order = string | { field: string; descending?: boolean | undefined; nulls?: 'first' | 'last' | undefined };

interface ChoiceOptions extends CallOptions, RelatedChoice {
  filter?: Filter<never> | undefined;
  offset?: number | undefined;
  after?: string | undefined;
  count?: boolean | undefined;
  paging?: 'after' | 'offset' | undefined;
  rollback?: boolean | undefined;
  continue?: boolean | undefined;
}

type Json = Record<string, unknown>;

/** An object that has what it is given and nothing else, so that a table may be called `constructor`. */
function namesOf<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const object = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) Object.defineProperty(object, name, { value, enumerable: true });
  return Object.freeze(object);
}

const listNames = (names: readonly string[]): string => names.map(quoteName).join(',');

const orderText = (order: readonly Order[]): string =>
  order
    .map((term) => {
      if (typeof term !== 'string')
        return `${quoteName(term.field)} ${term.descending ? 'desc' : 'asc'}${term.nulls ? ` nulls ${term.nulls}` : ''}`;
      return term.startsWith('-') ? `${quoteName(term.slice(1))} desc` : `${quoteName(term)} asc`;
    })
    .join(',');

/** A filter that is none selects everything: what is no filter is refused. */
function filterText(filter: unknown): string | undefined {
  if (filter === undefined) return undefined;
  if (filter instanceof Filter) return filter.text;
  throw new SluiceError('input', 'A filter is made by eq, and and the other functions of this file.');
}

/** The parameters of a choice of fields and relations, of those of all levels. */
function choiceQuery({ fields, related }: RelatedChoice): Json {
  const names: string[] = [];
  const query: Json = {};
  const walk = (choice: RelatedChoice['related'], path: readonly string[]) => {
    for (const [name, value] of Object.entries(choice ?? {})) {
      if (value === undefined) continue;
      const here = [...path, name];
      names.push(here.map(quoteName).join('.'));
      if (value === true) continue;
      const prefix = here.join('.');
      if (value.fields) query[`${prefix}.fields`] = listNames(value.fields);
      if (value.order) query[`${prefix}.order`] = orderText(value.order);
      if (value.limit !== undefined) query[`${prefix}.limit`] = value.limit;
      walk(value.related, here);
    }
  };
  walk(related, []);
  return {
    ...query,
    ...(fields ? { fields: listNames(fields) } : {}),
    ...(names.length > 0 ? { related: names.join(',') } : {}),
  };
}

const optionsOfCall = ({ signal, timeout }: CallOptions): CallOptions => ({ signal, timeout });

function createTable(send: Send, service: string, [name, key, schema]: TableData, records: readonly RecordData[]) {
  const path = `${encodeSegment(service)}/_table/${encodeSegment(name)}`;

  /** No record of a relation to one is null, whatever the kind of the relation. */
  function tidy(record: Json, choice: RelatedChoice['related'], number: number): Json {
    for (const [relation, isMany, target] of records[number] ?? []) {
      const chosen = choice && Object.hasOwn(choice, relation) ? choice[relation] : undefined;
      if (chosen === undefined) continue;
      const value = record[relation];
      if (!isMany && Array.isArray(value) && value.length === 0) record[relation] = null;
      if (chosen === true || !chosen.related) continue;
      for (const related of Array.isArray(value) ? value : [value])
        if (typeof related === 'object' && related !== null) tidy(related as Json, chosen.related, target);
    }
    return record;
  }

  const call = (method: string, options: ChoiceOptions, query: Json = {}, body?: unknown, id?: unknown) =>
    send({
      method,
      path: id === undefined ? path : `${path}/${encodeSegment(id)}`,
      query: { ...choiceQuery(options), ...query },
      body,
      ...optionsOfCall(options),
    });
  /** A key of several fields has no place in an address. */
  const keyOf = (id: unknown): Json => {
    const values = typeof id === 'object' && id !== null ? (id as Json) : {};
    const missing = key.find((name) => !Object.hasOwn(values, name));
    if (missing !== undefined) throw new SluiceError('input', `The key lacks ${missing}.`);
    return Object.fromEntries(key.map((name) => [name, values[name]]));
  };
  const callOne = async (method: string, id: unknown, options: ChoiceOptions, change?: Json) => {
    // Wrapped, a field may be called `resource`.
    const body = change && { resource: change };
    if (key.length === 1)
      return tidy((await call(method, options, {}, body, id ?? '')) as Json, options.related, schema);
    try {
      return (await callMany(method, options, {}, { ...body, ids: [keyOf(id)] }))[0];
    } catch (error) {
      throw ofOneRecord(error);
    }
  };
  const callMany = async (method: string, options: ChoiceOptions, query: Json, body?: unknown) => {
    const { resource } = (await call(method, options, query, body)) as { resource: Json[] };
    return resource.map((record) => tidy(record, options.related, schema));
  };
  const batch = ({ rollback, continue: goOn }: ChoiceOptions) => ({ rollback, continue: goOn });
  const requireFilter = (filter: unknown): Json => {
    const text = filterText(filter);
    if (text === undefined) throw new SluiceError('input', 'A filter is missing.');
    return { filter: text };
  };

  async function list(options: ChoiceOptions = {}): Promise<Page<Json>> {
    const { filter, order, limit, offset, after, count } = options;
    const answer = (await call('GET', options, {
      filter: filterText(filter),
      ...(order ? { order: orderText(order) } : {}),
      ...{ limit, offset, after },
      ...(count ? { include_count: true } : {}),
    })) as { resource: Json[]; meta?: { count?: number; next?: number; after?: string } };
    const { count: total, next, after: place } = answer.meta ?? {};
    return {
      records: answer.resource.map((record) => tidy(record, options.related, schema)),
      ...(total === undefined ? {} : { count: total }),
      ...(next === undefined ? {} : { next }),
      ...(place === undefined ? {} : { after: place }),
    };
  }

  async function* all(options: ChoiceOptions = {}): AsyncGenerator<Json, void, undefined> {
    const { paging = key.length === 0 ? 'offset' : 'after', limit, ...rest } = options;
    if (paging === 'after') {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page: Page<Json> = await list({ ...rest, limit, after });
        yield* page.records;
        after = page.after;
      }
      return;
    }
    for (let offset = 0; ; ) {
      const { records: found, next } = await list({ ...rest, limit, offset });
      yield* found;
      offset += found.length;
      // A page may be shorter than asked for: the server has a limit of its own.
      if (found.length === 0 || (next === undefined && (limit === undefined || found.length < limit))) return;
    }
  }

  return Object.freeze({
    list,
    all,
    count: async ({ filter, ...options }: ChoiceOptions = {}) =>
      (await send({
        ...{ method: 'GET', path, query: { filter: filterText(filter), count_only: true } },
        ...optionsOfCall(options),
      })) as number,
    get: (id: unknown, options: ChoiceOptions = {}) => callOne('GET', id, options),
    async create(record: Json, options: ChoiceOptions = {}) {
      try {
        return (await callMany('POST', options, {}, { resource: [record] }))[0];
      } catch (error) {
        throw ofOneRecord(error);
      }
    },
    createMany: (list: Json[], options: ChoiceOptions = {}) =>
      callMany('POST', options, batch(options), { resource: list }),
    update: (id: unknown, change: Json, options: ChoiceOptions = {}) => callOne('PATCH', id, options, change),
    updateMany: (list: Json[], options: ChoiceOptions = {}) =>
      callMany('PATCH', options, batch(options), { resource: list }),
    updateWhere: async (filter: unknown, change: Json, options: ChoiceOptions = {}) =>
      callMany('PATCH', options, requireFilter(filter), { resource: [change] }),
    delete: (id: unknown, options: ChoiceOptions = {}) => callOne('DELETE', id, options),
    deleteWhere: async (filter: unknown, options: ChoiceOptions = {}) =>
      callMany('DELETE', options, requireFilter(filter)),
    where: (filter: unknown) => filter,
  });
}

const createRoutine =
  (send: Send, service: string, resource: '_proc' | '_func', name: string) =>
  (params: Json = {}, options: CallOptions = {}) =>
    send({
      method: 'POST',
      path: `${encodeSegment(service)}/${resource}/${encodeSegment(name)}`,
      body: { params },
      ...optionsOfCall(options),
    });

function createFiles(send: Send, service: string): Files {
  const root = encodeSegment(service);
  const file = (path: string) => {
    const encoded = encodePath(path);
    if (encoded === '' || path.endsWith('/')) throw new SluiceError('input', 'The path of a file is missing.');
    return `${root}/${encoded}`;
  };
  const folder = (path: string) => {
    const encoded = encodePath(path);
    return encoded === '' ? `${root}/` : `${root}/${encoded}/`;
  };
  const ownFolder = (path: string) => {
    if (encodePath(path) === '') throw new SluiceError('input', 'The path of a folder is missing.');
    return folder(path);
  };
  return Object.freeze({
    async list(path = '', { tree, ...options } = {}) {
      const query = tree ? { full_tree: true } : {};
      const answer = await send({ method: 'GET', path: folder(path), query, ...optionsOfCall(options) });
      return (answer as { resource: FileEntry[] }).resource;
    },
    read: async (path, options = {}) =>
      (await send({ method: 'GET', path: file(path), isFile: true, ...optionsOfCall(options) })) as Blob,
    async write(path, content, options = {}) {
      const headers = { 'Content-Type': 'application/octet-stream' };
      await send({ method: 'POST', path: file(path), content, headers, ...optionsOfCall(options) });
    },
    async delete(path, options = {}) {
      await send({ method: 'DELETE', path: file(path), ...optionsOfCall(options) });
    },
    async createFolder(path, options = {}) {
      await send({ method: 'POST', path: ownFolder(path), body: {}, ...optionsOfCall(options) });
    },
    async deleteFolder(path, { force, ...options } = {}) {
      const query = force ? { force: true } : {};
      await send({ method: 'DELETE', path: ownFolder(path), query, ...optionsOfCall(options) });
    },
  } satisfies Files);
}

interface RequestOptions extends CallOptions {
  path?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/** An address of the document with values for its placeholders; those called `…path` may hold slashes. */
const fillPath = (template: string, values: Readonly<Record<string, string>>): string =>
  template.slice(1).replace(/\{([^}]*)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new SluiceError('input', `The value of {${name}} is missing.`);
    return name.endsWith('path') ? encodePath(value) : encodeSegment(value);
  });

const contentTypes = ['application/octet-stream', 'text/plain'];

/** The client of an instance: its description, and the types of what it offers. */
export function openClient<A extends ApiShape>(data: ApiData, ownAddress: string, options: ClientOptions): Client<A> {
  const { send, renew, session, signIn, signOut } = openConnection(options, ownAddress);
  const routines = (list: ApiData['procedures'], resource: '_proc' | '_func') =>
    namesOf(
      list.map(
        ([service, names]) =>
          [
            service,
            namesOf(names.map((name) => [name, createRoutine(send, service, resource, name)] as const)),
          ] as const,
      ),
    );
  const client = {
    databases: namesOf(
      data.databases.map(
        ([service, tables]) =>
          [
            service,
            namesOf(tables.map((table) => [table[0], createTable(send, service, table, data.records)] as const)),
          ] as const,
      ),
    ),
    procedures: routines(data.procedures, '_proc'),
    functions: routines(data.functions, '_func'),
    files: namesOf(data.files.map((service) => [service, createFiles(send, service)] as const)),
    async request(method: string, template: string, { path = {}, query, body, ...rest }: RequestOptions = {}) {
      const isContent = typeof body === 'string' || body instanceof Blob || body instanceof Uint8Array;
      const content = isContent ? (body as Blob | string | Uint8Array<ArrayBuffer>) : undefined;
      const [bytes, text] = contentTypes as [string, string];
      return send({
        method: method.toUpperCase(),
        path: fillPath(template, path),
        query,
        ...(isContent ? { content, headers: { 'Content-Type': typeof body === 'string' ? text : bytes } } : { body }),
        ...optionsOfCall(rest),
      });
    },
    ...{ renew, signIn, signOut },
    get session() {
      return session();
    },
  };
  return client as unknown as Client<A>;
}
