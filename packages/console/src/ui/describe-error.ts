import { text } from '../text/index.ts';

/** An error as people read it, whoever threw it. */
export interface ErrorDescription {
  messages: string[];
  requestId: string | null;
  /** HTTP status; 0 when no answer came; null when the error has none. */
  status: number | null;
  code: number | string | null;
}

interface ErrorLike {
  message?: unknown;
  messages?: () => string[];
  requestId?: string | null;
  status?: number;
  code?: number | string;
}

/** Reads an `ApiError`, any other error or a sentence. */
export const describeError = (error: unknown): ErrorDescription => {
  if (typeof error === 'string') return { messages: [error], requestId: null, status: null, code: null };
  const details: ErrorLike = typeof error === 'object' && error !== null ? error : {};
  const message =
    typeof details.message === 'string' && details.message ? details.message : text('common:unknownError');
  return {
    messages: typeof details.messages === 'function' ? details.messages() : [message],
    requestId: details.requestId ?? null,
    status: details.status ?? null,
    code: details.code ?? null,
  };
};
