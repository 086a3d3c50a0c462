import type { Filter } from './filter.ts';

// ---- What is asked for, and the types of what comes ----

/** What a schema of records says: its fields, those left out unless named, and its relations. */
export interface RecordShape {
  fields: object;
  unselected: string;
  related: object;
}

/** A relation to one record, or to none. */
export interface One<R extends RecordShape> {
  one: R;
}

/** A relation to several records. */
export interface Many<R extends RecordShape> {
  many: R;
}

/** Records that the document does not describe: those of another service. */
export interface AnyRecord extends RecordShape {
  fields: Record<string, unknown>;
  unselected: never;
  related: Record<never, never>;
}

export type FieldOf<R extends RecordShape> = keyof R['fields'] & string;
export type SelectedOf<R extends RecordShape> = Exclude<FieldOf<R>, R['unselected']>;
type TargetOf<T> = T extends One<infer R> ? R : T extends Many<infer R> ? R : never;

/** `'name'` upwards, `'-name'` downwards; a field whose name begins with `-` stands in an object. */
export type OrderTerm<R extends RecordShape> =
  | Exclude<FieldOf<R>, `-${string}`>
  | `-${FieldOf<R>}`
  | {
      readonly field: FieldOf<R>;
      readonly descending?: boolean | undefined;
      readonly nulls?: 'first' | 'last' | undefined;
    };

/** Levels of relations below a record. */
type Level = 0 | 1 | 2 | 3;
type Below = { 0: 0; 1: 0; 2: 1; 3: 2 };

interface RelationOptions<R extends RecordShape, L extends Level> {
  readonly fields?: readonly FieldOf<R>[] | undefined;
  readonly related?: RelatedOptions<R, L> | undefined;
  readonly order?: readonly OrderTerm<R>[] | undefined;
  /** Of all related records together. */
  readonly limit?: number | undefined;
}

/** The relations to read with a record: true, or what to read of them. Three levels. */
export type RelatedOptions<R extends RecordShape, L extends Level = 3> = L extends 0
  ? Record<never, never>
  : {
      readonly [K in keyof R['related']]?: true | RelationOptions<TargetOf<R['related'][K]>, Below[L]> | undefined;
    };

/** Refuses names of no relation, which TypeScript lets pass where a type is inferred. */
export type OnlyRelations<R extends RecordShape, X> = {
  [K in keyof X]: K extends keyof R['related']
    ? X[K] extends { related: infer Y }
      ? X[K] & { related: OnlyRelations<TargetOf<R['related'][K]>, Y> }
      : X[K]
    : never;
};

type Flat<T> = { [K in keyof T]: T[K] } & {};

/** A record with the fields `F` and the relations of `X`. */
export type Row<R extends RecordShape, F, X> = Flat<
  Pick<R['fields'], F & keyof R['fields']> & { [K in keyof X & keyof R['related']]: Related<R['related'][K], X[K]> }
>;

type Related<T, O> =
  T extends One<infer R> ? RelatedRow<R, O> | null : T extends Many<infer R> ? RelatedRow<R, O>[] : unknown;

type RelatedRow<R extends RecordShape, O> = Row<
  R,
  O extends { fields: readonly (infer F)[] } ? F : SelectedOf<R>,
  O extends { related: infer X } ? X : Record<never, never>
>;

/** What may be missing of a value of `T` is there. */
export type Require<T, K extends keyof T> = T & Required<Pick<T, K>>;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds; 0: none. */
  timeout?: number | undefined;
}

interface Selection<R extends RecordShape, F extends FieldOf<R>, X> extends CallOptions {
  /** Those to answer; absent: all. */
  fields?: readonly F[] | undefined;
  related?: (X & OnlyRelations<R, X>) | undefined;
}

interface ListOptions<R extends RecordShape, F extends FieldOf<R>, X> extends Selection<R, F, X> {
  filter?: Filter<R['fields']> | undefined;
  order?: readonly OrderTerm<R>[] | undefined;
  /** How many records at most; the server has a limit of its own. */
  limit?: number | undefined;
}

interface PageOptions<R extends RecordShape, F extends FieldOf<R>, X> extends ListOptions<R, F, X> {
  offset?: number | undefined;
  /** `''` for the first page, then `after` of the page before: no record is lost or twice while others write. */
  after?: string | undefined;
  /** Answers how many records there are. */
  count?: boolean | undefined;
}

interface AllOptions<R extends RecordShape, F extends FieldOf<R>, X> extends ListOptions<R, F, X> {
  /** Records of each page are found by the place of the last (`after`), or by their number (`offset`). */
  paging?: 'after' | 'offset' | undefined;
}

interface BatchOptions {
  /** Takes everything back when a record fails. */
  rollback?: boolean | undefined;
  /** Goes on after a record that fails. */
  continue?: boolean | undefined;
}

export interface Page<T> {
  records: T[];
  /** How many there are, where it was asked for. */
  count?: number;
  /** The offset of the next page, where there is one and it is known. */
  next?: number;
  /** The place where the next page begins, where it was asked for and there is one. */
  after?: string;
}

type None = Record<never, never>;

type IsUnion<T, U = T> = [T] extends [never] ? false : T extends unknown ? ([U] extends [T] ? false : true) : never;

/** What identifies a record: the value of its key, or those of a key of several fields by their names. */
export type IdOf<R extends RecordShape, K extends FieldOf<R>> =
  IsUnion<K> extends true ? { readonly [F in K]: NonNullable<R['fields'][F]> } : NonNullable<R['fields'][K]>;

/** What can be done with the records of a table; each has what its caller may do. `K` are the fields of its key. */
export interface Table<R extends RecordShape, K extends FieldOf<R>, New, Change> {
  list<const F extends FieldOf<R> = SelectedOf<R>, const X extends RelatedOptions<R> = None>(
    options?: PageOptions<R, F, X>,
  ): Promise<Page<Row<R, F, X>>>;
  /** Every record, page by page as the loop goes on. */
  all<const F extends FieldOf<R> = SelectedOf<R>, const X extends RelatedOptions<R> = None>(
    options?: AllOptions<R, F, X>,
  ): AsyncGenerator<Row<R, F, X>, void, undefined>;
  count(options?: { filter?: Filter<R['fields']> | undefined } & CallOptions): Promise<number>;
  get<const F extends FieldOf<R> = SelectedOf<R>, const X extends RelatedOptions<R> = None>(
    id: IdOf<R, K>,
    options?: Selection<R, F, X>,
  ): Promise<Row<R, F, X>>;
  /** Answers the key, or what `fields` and `related` ask for; so do all that write. */
  create<const F extends FieldOf<R> = K, const X extends RelatedOptions<R> = None>(
    record: New,
    options?: Selection<R, F, X>,
  ): Promise<Row<R, F, X>>;
  createMany<const F extends FieldOf<R> = K, const X extends RelatedOptions<R> = None>(
    records: readonly New[],
    options?: Selection<R, F, X> & BatchOptions,
  ): Promise<Row<R, F, X>[]>;
  update<const F extends FieldOf<R> = K, const X extends RelatedOptions<R> = None>(
    id: IdOf<R, K>,
    change: Change,
    options?: Selection<R, F, X>,
  ): Promise<Row<R, F, X>>;
  /** Each record with its key. */
  updateMany<const F extends FieldOf<R> = K, const X extends RelatedOptions<R> = None>(
    records: readonly (Change & Pick<R['fields'], K>)[],
    options?: Selection<R, F, X> & BatchOptions,
  ): Promise<Row<R, F, X>[]>;
  /** The same change to all that a filter finds. */
  updateWhere<const F extends FieldOf<R> = K, const X extends RelatedOptions<R> = None>(
    filter: Filter<R['fields']>,
    change: Change,
    options?: Selection<R, F, X>,
  ): Promise<Row<R, F, X>[]>;
  /** Answers the key, or the record as it was. */
  delete<const F extends FieldOf<R> = K, const X extends RelatedOptions<R> = None>(
    id: IdOf<R, K>,
    options?: Selection<R, F, X>,
  ): Promise<Row<R, F, X>>;
  deleteWhere<const F extends FieldOf<R> = K, const X extends RelatedOptions<R> = None>(
    filter: Filter<R['fields']>,
    options?: Selection<R, F, X>,
  ): Promise<Row<R, F, X>[]>;
  /** The filter itself: gives the functions of filters the fields of this table where nothing else does. */
  where(filter: Filter<R['fields']>): Filter<R['fields']>;
}

/** A file or a folder in a list. */
export interface FileEntry {
  path: string;
  name: string;
  type: 'file' | 'folder';
  content_type?: string | null;
  content_length?: number | null;
  last_modified?: string | null;
}

/** The files of a service. Paths begin without a slash. */
export interface Files {
  list(folder?: string, options?: { tree?: boolean | undefined } & CallOptions): Promise<FileEntry[]>;
  read(path: string, options?: CallOptions): Promise<Blob>;
  /** Writes a file, over the one there. */
  write(path: string, content: Blob | string | Uint8Array<ArrayBuffer>, options?: CallOptions): Promise<void>;
  delete(path: string, options?: CallOptions): Promise<void>;
  createFolder(path: string, options?: CallOptions): Promise<void>;
  /** `force`: with all that is in it. */
  deleteFolder(path: string, options?: { force?: boolean | undefined } & CallOptions): Promise<void>;
}

/** An operation of the document: placeholders, query, body and answer. */
export interface Operation<P, Q, B, A> {
  path: P;
  query: Q;
  body: B;
  answer: A;
}

type Given<O> =
  O extends Operation<infer P, infer Q, infer B, unknown>
    ? ([keyof P] extends [never] ? { path?: undefined } : { path: P }) &
        (undefined extends B ? { body?: B } : { body: B }) & { query?: Q | undefined } & CallOptions
    : never;

type AnswerOf<O> = O extends { answer: infer A } ? A : never;

/** What an instance offers its caller. */
export interface ApiShape {
  databases: object;
  procedures: object;
  functions: object;
  files: object;
  paths: object;
}

export interface SignIn {
  email?: string | undefined;
  username?: string | undefined;
  password: string;
  /** For a session that is renewed as long as it is used, where the instance allows it. */
  remember_me?: boolean | undefined;
  /** The service of a directory that knows the person. */
  service?: string | undefined;
  /** Administrators sign in at an address of their own. */
  administrator?: boolean | undefined;
}

/** A session as the server answers it. */
export interface Session {
  session_token: string;
  id: number;
  name: string;
  first_name: string;
  last_name: string;
  email: string;
  is_sys_admin: boolean;
  token_expiry_date?: string;
  role?: string;
  role_id?: number;
}

export interface ClientOptions {
  /** Of the instance, without `/api/v2`; absent: the one the client was made with. */
  address?: string | undefined;
  /** The API key of an app. */
  key?: string | undefined;
  /** One that `onSession` gave to be kept. */
  session?: Session | undefined;
  /** Called with each new session, renewed ones included, and with undefined when it ends. */
  onSession?: ((session: Session | undefined) => void) | undefined;
  /** Milliseconds a call may take: 60,000 unless it is said; 0: no limit. */
  timeout?: number | undefined;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

export interface Client<A extends ApiShape> {
  /** Tables by service and name: `databases.db.product`. */
  readonly databases: A['databases'];
  /** Stored procedures by service and name. */
  readonly procedures: A['procedures'];
  readonly functions: A['functions'];
  readonly files: A['files'];
  /** Any operation: `request('get', '/db/_table/{table_name}', { path: { table_name: 'product' } })`. */
  request<P extends keyof A['paths'] & string, M extends keyof A['paths'][P] & string>(
    method: M,
    path: P,
    ...options: None extends Given<A['paths'][P][M]> ? [Given<A['paths'][P][M]>?] : [Given<A['paths'][P][M]>]
  ): Promise<AnswerOf<A['paths'][P][M]>>;
  signIn(credentials: SignIn, options?: CallOptions): Promise<Session>;
  /** A new token for the old one; calls do it by themselves. */
  renew(): Promise<Session>;
  signOut(options?: CallOptions): Promise<void>;
  readonly session: Session | undefined;
}

/** A record of which some is there. */
export type Part<R extends RecordShape> = Partial<R['fields']> & { [K in keyof R['related']]?: unknown };

/** A record with all fields that are answered unless some are named. */
export type Whole<R extends RecordShape> = Pick<R['fields'], SelectedOf<R>> & Part<R>;
