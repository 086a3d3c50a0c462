import { text } from '../text/index.ts';

/** What people are told about an error, whoever threw it. */
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
  const like: ErrorLike = typeof error === 'object' && error !== null ? error : {};
  const own = typeof like.message === 'string' && like.message ? like.message : text('common:unknownError');
  return {
    messages: typeof like.messages === 'function' ? like.messages() : [own],
    requestId: like.requestId ?? null,
    status: like.status ?? null,
    code: like.code ?? null,
  };
};
