// How errors are named. Every error a caller can meet is an entry of one of the area files beside this one;
// docs/errors.md is generated from them.

/** One entry of the catalogue: HTTP status, the wire's numeric code (status when absent), text and advice. */
export interface ErrorDefinition {
  status: number;
  code?: number;
  message: string | ((params: never) => string);
  hint?: string;
}

type Keyed<Area extends string, T> = { [K in keyof T & string as `${Area}.${K}`]: T[K] };

/** Names the errors of one area: `catalogue('table', { unknown: … })` gives `table.unknown`. */
export function errorsOfArea<const Area extends string, T extends Record<string, ErrorDefinition>>(
  area: Area,
  definitions: T,
): Keyed<Area, T> {
  return Object.fromEntries(
    Object.entries(definitions).map(([reason, definition]) => [`${area}.${reason}`, definition]),
  ) as Keyed<Area, T>;
}

/** What a failure may carry besides its catalogue entry. */
export interface FailureOptions {
  /** Goes out as `error.context`: field messages of a validation, the outcome of a batch. */
  context?: unknown;
  /** Replaces the numeric code, e.g. by the SQLSTATE of a database. */
  code?: number | string;
  /** Replaces the HTTP status: a batch that a fault stopped has the status of that fault. */
  status?: number;
  /** The verbs a 405 offers instead (the `Allow` header). */
  allow?: readonly string[];
  /** Seconds after which the same call may go well (the `Retry-After` header). */
  retryAfter?: number;
  cause?: unknown;
}

/** How many lines a stack gets, as V8 and Safari have it. */
const traced = Error as ErrorConstructor & { stackTraceLimit?: number | undefined };

/**
 * An error a caller may see. Anything else that is thrown is a bug of ours and answers a plain 500. It has no stack: one call
 * makes ten thousand of them, one for each record it writes, and noting where was most of what they cost.
 */
export class Failure extends Error {
  readonly key: string;
  readonly status: number;
  readonly code: number | string;
  readonly context: unknown;
  readonly hint: string | undefined;
  readonly allow: readonly string[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(key: string, status: number, message: string, options: FailureOptions & { hint?: string } = {}) {
    const { stackTraceLimit } = traced;
    traced.stackTraceLimit = 0;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    traced.stackTraceLimit = stackTraceLimit;
    this.name = 'Failure';
    this.key = key;
    this.status = status;
    this.code = options.code ?? status;
    this.context = options.context ?? null;
    this.hint = options.hint;
    this.allow = options.allow;
    this.retryAfter = options.retryAfter;
  }
}
