import { serverText, text } from '../text/index.ts';

/** The code of a batch that failed; `context` then says what became of each record (contract/http-basics.md §8). */
export const batchErrorCode = 1000;

interface ErrorDetails {
  /** HTTP status; 0 when no answer came at all. */
  status: number;
  code: number | string;
  message: string;
  context?: unknown;
  requestId?: string | null;
  cause?: unknown;
}

/** A call that the server refused, or that never reached it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number | string;
  readonly context: unknown;
  readonly requestId: string | null;
  /** As the server said it; `message` is the same in the reader's language. */
  readonly original: string;

  constructor({ status, code, message, context = null, requestId = null, cause }: ErrorDetails) {
    super(message ? serverText(message) : text('common:unknownError'), { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.original = message;
    this.context = context;
    this.requestId = requestId;
  }

  /** What to tell the person: of a batch, the messages of the records that failed; otherwise the one message. */
  messages(): string[] {
    const ofRecords = Number(this.code) === batchErrorCode ? recordMessages(this.context) : [];
    return ofRecords.length > 0 ? ofRecords : [this.message];
  }

  /** The messages of single fields after a failed validation, by field name; also those of a batch of one. */
  fieldMessages(): Record<string, string[]> {
    const context = Number(this.code) === batchErrorCode ? soleRecordContext(this.context) : this.context;
    if (!isObject(context)) return {};
    const entries = Object.entries(context).filter((entry): entry is [string, string[]] => isTexts(entry[1]));
    return Object.fromEntries(
      entries.map(([field, messages]) => [field, messages.map((message) => serverText(message))]),
    );
  }

  /** Whether no answer came: the network, or a server that is down. */
  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');

const recordsOf = (context: unknown): unknown[] => {
  if (isObject(context) && Array.isArray(context.resource)) return context.resource;
  return Array.isArray(context) ? context : [];
};

const recordMessages = (context: unknown): string[] => {
  const messages = recordsOf(context).flatMap((record) =>
    isObject(record) && typeof record.message === 'string' && ('code' in record || 'status_code' in record)
      ? [serverText(record.message)]
      : [],
  );
  return [...new Set(messages)];
};

const soleRecordContext = (context: unknown): unknown => {
  const failed = recordsOf(context).filter((record) => isObject(record) && 'message' in record && 'context' in record);
  const only = failed.length === 1 ? failed[0] : null;
  return isObject(only) ? only.context : null;
};

/** The error in an answer's body, whatever shape the body has. */
export const errorFromResponse = (status: number, body: unknown, requestId: string | null): ApiError => {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  return new ApiError({
    status,
    code: typeof error.code === 'number' || typeof error.code === 'string' ? error.code : status,
    message: typeof error.message === 'string' ? error.message : '',
    context: error.context,
    requestId: typeof error.request_id === 'string' ? error.request_id : requestId,
  });
};
