// A call on its way through the gateway, whichever door it came by. The steps in index.ts fill it in, in order.
import type { Readable } from 'node:stream';
import type { MaybePromise, Requestor, Verb } from '@sluice/contract';
import type { AccessRow, Decision } from '../access/decide.ts';
import type { Match } from '../service/operation.ts';
import type { Reservation } from './byte-budget.ts';
import type { TypedMap } from './typed-map.ts';

/** Who calls. Filled by `identify` (contract/http-basics.md §2–3). */
export interface Caller {
  user?: CallerUser;
  /** The app of the API key; absent when no key was sent or none has it. */
  app?: { id: number; name: string; apiKey: string; roleId: number | null };
  role?: CallerRole;
  /** The verified session token of the call. */
  token?: { text: string; id: string; expiresAt: number };
  /** Whether something was sent in the place of a key or token, valid or not: the refusal texts differ by it. */
  hasSentKey: boolean;
  hasSentToken: boolean;
  requestor: Requestor;
  /**
   * The lookup keys of the call that are not private: the instance's, overridden by the app's, the role's and the
   * person's, in that order. Shared by calls and not to be changed.
   */
  lookups: CallerLookups;
}

/** Values by name. */
export interface CallerLookups extends ReadonlyMap<string, string> {
  /** What they take in memory, roughly. */
  bytes?: number;
  /** An owner has more than is read for a caller (`publicLookupBounds`): what is not here may be there. */
  isCut?: boolean;
}

/** A caller who sent no credentials. Not to be changed. */
export const anonymousCaller: Caller = { hasSentKey: false, hasSentToken: false, requestor: 'API', lookups: new Map() };

export interface CallerUser {
  id: number;
  name: string;
  firstName: string | null;
  lastName: string | null;
  username: string;
  email: string;
  phone: string | null;
  isAdmin: boolean;
  defaultAppId: number | null;
  lastLoginDate: string | null;
}

export interface CallerRole {
  id: number;
  name: string;
  isActive: boolean;
  /** Rows in order of id (contract/role-access.md §1). */
  access: AccessRow[];
}

/** The credentials of a call: texts as sent, not yet checked. */
export interface Credentials {
  apiKey?: string;
  token?: string;
  basic?: { login: string; password: string };
}

/** The parameters of a call by name; the first value of a repeated name counts. */
export interface Query {
  get(name: string): string | undefined;
  has(name: string): boolean;
  names(): string[];
  /** All values, those of repeated names too; the values of a name are in their order. */
  pairs(): (readonly [name: string, value: string])[];
  readonly isEmpty: boolean;
}

/** Bytes of a body that is kept as it was sent. */
export const maxRawBody = 1024 * 1024;

/** Whether a body is kept as it was sent in any case: one whose head says that it is short, or that came by no wire. */
export function isShortBody(call: Pick<Call, 'header'>): boolean {
  const length = call.header('content-length');
  return length === undefined ? call.header('transfer-encoding') === undefined : Number(length) <= maxRawBody;
}

/** A body once read: parsed by its content type. `undefined` means there was none. */
export type Payload = unknown;

/**
 * A request and its context. Every member is required, so that a copy with another request (`withRequest`) or a call inside
 * another (`innerCall`) cannot lose one unnoticed.
 */
export interface Call {
  /** The request id: in the log, in error envelopes and in the `X-Request-Id` header. */
  id: string;
  verb: Verb;
  /** Lower-cased service name; empty for `GET /api/v2`. */
  service: string;
  /** Path below the service without a leading slash; case and a trailing slash are kept. */
  path: string;
  query: Query;
  header(name: string): string | undefined;
  /** The names of its headers, in lower case. */
  headerNames(): string[];
  /** The body, read late and once, parsed by its content type (contract/http-basics.md §6). */
  body(): MaybePromise<Payload>;
  /**
   * The bytes of the body as they were sent, for those who ask before anybody has asked for `body`; undefined where there is none,
   * or where it is longer than what is kept (`maxRawBody`).
   */
  rawBody(): MaybePromise<Uint8Array | undefined>;
  /**
   * The body as it comes, not parsed, for an operation that says `streams`, with the limit it says. A handler calls either
   * `body` or `stream`, after `rawBody` where it likes, and `stream` once; if it does not read the stream to its end, it destroys it.
   */
  stream(): Readable;
  credentials: Credentials;
  /** Set by `identify`. */
  caller: Caller;
  /** Why the call may pass, and which record filter it carries; set by `authorize`. */
  decision: Decision;
  /** The id of the addressed service; set by `authorize` when the call may pass. */
  serviceId: number | undefined;
  /** The operation of the address, with the values of its placeholders; set by `match`, absent where nothing answers. */
  match: Match | undefined;
  /** What steps and handlers of this call keep for each other; shared by copies of it. */
  readonly state: TypedMap;
  /** Headers of its answer, whatever comes of it, failures included. A header of the same name in a reply gives way. */
  readonly replyHeaders: Map<string, string>;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** `https://host` of this instance as the caller sees it, without a trailing slash. */
  baseUrl: string;
  ip: string;
  userAgent: string | null;
  /** What the bytes of its answer are counted in while they are in memory; absent where nobody sends it. */
  readonly memory: Reservation | undefined;
  /** How many calls enclose this one, each made by a step or a handler of the one before; 0 for the outermost. */
  depth: number;
}

export { answer, type Reply, type RowStream } from './reply.ts';
