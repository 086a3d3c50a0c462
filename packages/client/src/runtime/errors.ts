// ---- Errors ----

/**
 * Why a call failed. `answer`: the server refused it; `network`: no answer came; `timeout`: none came in time; `aborted`: by a
 * signal of the caller; `input`: it was not sent, as its values cannot be.
 */
export type ErrorKind = 'answer' | 'network' | 'timeout' | 'aborted' | 'input';

/** What a call fails with. */
export class SluiceError extends Error {
  override readonly name = 'SluiceError';
  readonly kind: ErrorKind;
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** The code of the envelope: most often the status, 1000 for several records, or the code of a database. */
  readonly code: number | string;
  /** The messages of each field, or what came of each record. */
  readonly context: unknown;
  /** Names the call in the log of the server. */
  readonly requestId: string | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    details: { status?: number; code?: number | string; context?: unknown; requestId?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status ?? 0;
    this.code = details.code ?? this.status;
    this.context = details.context ?? null;
    this.requestId = details.requestId;
  }
}

/** A value, or the error in its place. */
export type Result<T> = { data: T; error?: undefined } | { data?: undefined; error: SluiceError };

/** The outcome of a call as a value: `const { data, error } = await safe(sluice.databases.db.product.get(7))`. */
export async function safe<T>(promise: PromiseLike<T>): Promise<Result<T>> {
  try {
    return { data: await promise };
  } catch (error) {
    if (error instanceof SluiceError) return { error };
    throw error;
  }
}

/** What an envelope may have, as it comes. */
interface Envelope {
  error?: unknown;
  code?: unknown;
  message?: unknown;
  context?: unknown;
  status_code?: unknown;
  request_id?: unknown;
  resource?: unknown;
}

const isObject = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The error of an answer, from its envelope where it has one. */
export function errorOf(status: number, body: unknown): SluiceError {
  const envelope = isObject(body) && isObject(body.error) ? body.error : isObject(body) ? body : {};
  const { code, message, context, request_id } = envelope;
  return new SluiceError('answer', typeof message === 'string' ? message : `The server answered ${status}.`, {
    status,
    ...(typeof code === 'number' || typeof code === 'string' ? { code } : {}),
    context,
    ...(typeof request_id === 'string' ? { requestId: request_id } : {}),
  });
}

/** The error of the one record of a call on a list: older clients know a list of errors only. */
export function ofOneRecord(error: unknown): unknown {
  if (!(error instanceof SluiceError) || error.code !== 1000 || !isObject(error.context)) return error;
  const { resource } = error.context;
  const [item] = Array.isArray(resource) ? resource : [];
  if (!isObject(item) || typeof item.status_code !== 'number') return error;
  return errorOf(item.status_code, { ...item, request_id: error.requestId });
}
