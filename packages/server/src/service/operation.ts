// The API of a service type as data: resources with path templates, and what each verb does there. Matching, refusals,
// the root's list and the access list are derived from it (route-table.ts, root.ts).
import type {
  ErrorKey,
  Failure,
  FieldDescription,
  MaybePromise,
  ResourceDefinition,
  TableDescription,
  Verb,
} from '@sluice/contract';
import type { Call, Reply } from '../call/call.ts';

/** `'_table/{table_name}/{+id}'` → `'table_name' | 'id'`. */
type PlaceholderIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Plain}` ? Plain : Name) | PlaceholderIn<Rest>
  : never;

/**
 * The parts of an address at the placeholders of a template, by their names. The whole path was decoded before it was taken apart:
 * `%2F` is a slash, and parts that are `.` or `..` are as they were sent.
 */
export type PathValues<Path extends string = string> = Readonly<Record<PlaceholderIn<Path>, string>>;

/** What a body holds or a success answers: records of the resource, one of them, or a thing of the operation's own. */
export type Shape =
  | ('records' | 'record' | 'descriptions' | 'description' | 'success')
  | ('object' | 'any value' | 'text' | 'bytes');

/** What a description is of. */
export type Described = 'table' | 'field' | 'relation';

/** A value of an operation's own object, as API docs describe it. */
export interface ValueShape {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'file';
  description?: string;
  nullable?: true;
  enum?: readonly string[];
  /** Of a list. */
  items?: ValueShape;
  /** Of an object. */
  fields?: ObjectShape;
  /** In a body: it has to be there. */
  required?: true;
  /** A value that works. */
  example?: unknown;
}

/** What an operation's own object holds, by name. */
export type ObjectShape = Readonly<Record<string, ValueShape>>;

/** One call a service offers. `Opened` is what the type's `open` returns. */
export interface Operation<Opened, Path extends string = string> {
  summary: string;
  /** What else a caller should know. */
  description?: string;
  /** The query parameters it reads. */
  parameters?: readonly string[];
  /** Absent when no body is read. */
  body?: Shape;
  /**
   * It may read its body as it comes (`call.stream()`), up to so many bytes, for as long as more comes: such a body is broken
   * off when it stalls. A body that is parsed has the limits of the instance, in bytes and in time, in any case.
   * `readsShort`: scripts get one that is short (`isShortBody`), and the handler has it all the same. `only`: no other body than
   * a multipart form is read so.
   */
  streams?: { limit: number; readsShort?: true; only?: 'forms' };
  /** What a multipart form holds, which it takes in place of `body`. */
  form?: ObjectShape;
  answer: Shape;
  /**
   * A page of any other site may have a browser send a form here, whatever system/cors says: what it brings proves itself, and that
   * page reads no answer. For a POST that a sign-in at a provider ends with.
   */
  takesForms?: true;
  /** A GET that may do more than read: the dry run of a script does not make it. */
  mayWrite?: true;
  /** The status of a success; absent: 200. */
  status?: number;
  /** What the objects of `body` and `answer` hold, where they are the operation's own. */
  bodyFields?: ObjectShape;
  answerFields?: ObjectShape;
  /** What its `description` and `descriptions` are of; absent: tables. */
  describes?: Described;
  /** What its `record` and `records` are; absent where the item of its address has them (`Items.describe`). */
  records?: ResourceDefinition;
  /** Whom it answers, of those a role lets in: its handler refuses others. Absent: all. */
  only?: 'people' | 'administrators';
  /** Errors of the catalogue that callers are to expect of it, besides those of every call. */
  errors?: readonly ErrorKey[];
  /**
   * What becomes of a session token that is sent along: nothing looks at it, or it may have expired. Absent: it has to be
   * good, also where none is needed. Only types that people sign in through may say it (`can.signIn`).
   */
  token?: 'ignored' | 'expired';
  /** A HEAD comes as the GET it asks about; the server keeps the headers of what is answered and ends a stream unread. */
  handle: (call: Call, values: PathValues<Path>, service: Opened) => MaybePromise<Reply>;
}

/** An operation with its place, as a route table has it. */
export interface RoutedOperation<Opened> extends Operation<Opened> {
  verb: Verb;
  /** Below the service, with `{placeholders}`. */
  path: string;
  /** The name of its events, below the service and without the verb. */
  event: string;
  isPublic: boolean;
  /** Its address may be one of the service's own definition, which then names its events. */
  isDefined?: boolean;
  /** Its last placeholder stands for several parts of an address, with the slashes between them. */
  takesSlashes: boolean;
  /** Its addresses end in a slash. */
  endsInSlash: boolean;
  /** What stands in for one of its placeholders: the items of this resource. */
  items?: { resource: string; placeholder: string } | undefined;
}

/** The operation that an address and a verb lead to. */
export interface Match<Opened = never> {
  operation: RoutedOperation<Opened>;
  values: PathValues;
  /** The route table it is of. */
  table: object;
}

export type Operations<Opened, Path extends string = string> = Partial<Record<Verb, Operation<Opened, Path>>>;

interface RouteOptions<Path extends string> {
  /** Verbs that need neither key, token nor role (contract/http-basics.md §4), also such as nothing handles. HEAD goes with GET. */
  public?: readonly Verb[];
  /** It answers calls, but no list shows it. */
  isHidden?: boolean;
  /** The value of the last `{+name}`, which is required, keeps a trailing slash: it tells a folder from a file. */
  keepsSlash?: boolean;
  /** It stands beside a route of the same parts, declared before, and has the addresses that end in a slash. */
  endsInSlash?: boolean;
  /** The name of its events, below the service and without the verb; absent: the path with dots (`eventOf`). */
  event?: string;
  /** Its addresses are those of the service's own definition: a template there that fits names the events. */
  isDefined?: boolean;
  /** The refusal of a verb without an operation here, in place of the 405. */
  refusal?(verb: Verb, values: PathValues<Path>): Failure | undefined;
}

/** A path template and what each verb does there. */
export interface Route<Opened> extends RouteOptions<string> {
  path: string;
  operations: Operations<Opened>;
}

/**
 * A function that declares routes of services that open as `Opened`. A path is below the resource: `{name}` stands for one
 * part, `{+name}`, at the end, for one or more with the slashes between them, not for none; words match in any letter case
 * and before placeholders.
 */
export const routesOf =
  <Opened>() =>
  <const Path extends string>(
    path: Path,
    operations: Operations<Opened, Path>,
    options: RouteOptions<Path> = {},
  ): Route<Opened> =>
    ({ ...options, path, operations }) as Route<Opened>;

/** A resource as `fields=*` lists it at the root; its name is the component roles know it by. */
export type RootEntry = { name: string } & Record<string, unknown>;

/** A part of a service that its root lists. */
export interface Resource<Opened> {
  entry: RootEntry;
  /** It answers calls, but no list shows it. */
  isHidden?: boolean;
  /** Their paths are below the resource: the empty one is the resource itself. */
  routes: Route<Opened>[];
  /** What roles may name of it (contract/role-access.md §4); absent: `name/` and `name/*`. */
  components?: readonly string[];
  /** The component whose verbs show it in the access list; absent: its name. */
  accessComponent?: string;
  /** What its routes are expanded by: the tables in place of `{table_name}`. */
  items?: Items<Opened>;
}

export interface Items<Opened> {
  /** The placeholder of the routes that they stand in for. */
  placeholder: string;
  /** The existing ones, as roles name them; each is shown to callers with a verb on it. `refresh`: as they are by now. */
  names(service: Opened, refresh?: boolean): Promise<string[]>;
  /** What roles may name of one; absent: `name/` and `name/*`. */
  components?(name: string): readonly string[];
  /** What describes them by their names, for API docs; absent where one is like the other. */
  describe?(service: Opened): Promise<DescribeItem>;
}

export type DescribeItem = (name: string) => MaybePromise<ItemDescription>;

/** What an item of a resource is. */
export type ItemDescription =
  | { table: TableDescription }
  | { routine: RoutineDescription }
  | { operation: OperationDescription };

/** What an operation of a service elsewhere takes and answers. */
export interface OperationDescription {
  description: string | null;
  request: ValueShape;
  response: ValueShape;
}

export interface RoutineDescription {
  description: string | null;
  /** Those it takes; of routines of one name, those of all. */
  parameters: { name: string; field: FieldDescription; isRequired: boolean }[];
}

/**
 * Where a type declares its addresses. Routes stand beside resources where a service lists no parts; one with an empty path
 * takes the place of the root's list of resources.
 */
export interface Offer<Opened> {
  resources?: readonly Resource<Opened>[];
  routes?: readonly Route<Opened>[];
}

/** The name of a route's events, without service and verb: `_table.{table_name}.{id}`. */
export const eventOf = ({ path, event }: Pick<Route<never>, 'path' | 'event'>): string =>
  event ?? path.replaceAll('{+', '{').replaceAll('/', '.');
