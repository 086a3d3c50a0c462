import { text } from '../text/index.ts';
import { connectionErrorOf } from './connection-error.ts';

/** An error as people read it, of any origin. */
export interface ErrorDescription {
  messages: string[];
  requestId: string | null;
  /** HTTP status; 0 when no answer came; null when the error has none. */
  status: number | null;
  code: number | string | null;
  /** The service whose database failed, where the answer names it: its configuration is where to look. */
  serviceId: number | null;
}

interface ErrorLike {
  message?: unknown;
  messages?: () => string[];
  requestId?: string | null;
  status?: number;
  code?: number | string;
  context?: unknown;
}

/** Reads an `ApiError`, any other error or a sentence. */
export const describeError = (error: unknown): ErrorDescription => {
  if (typeof error === 'string')
    return { messages: [error], requestId: null, status: null, code: null, serviceId: null };
  const details: ErrorLike = typeof error === 'object' && error !== null ? error : {};
  const message =
    typeof details.message === 'string' && details.message ? details.message : text('common:unknownError');
  const messages = typeof details.messages === 'function' ? details.messages() : [message];
  const connection = connectionErrorOf(details.context);
  return {
    messages: connection?.line ? [...messages, connection.line] : messages,
    requestId: details.requestId ?? null,
    status: details.status ?? null,
    code: details.code ?? null,
    serviceId: connection?.serviceId ?? null,
  };
};
