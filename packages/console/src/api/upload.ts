import { loadServerWords, text } from '../text/index.ts';
import { ApiError, errorFromResponse } from './errors.ts';
import { apiUrl, callerHeaders, type QueryValue, reachable } from './send.ts';

export interface UploadOptions {
  /** A file as it is, or a form with one in it. */
  body: Blob | FormData;
  query?: Record<string, QueryValue>;
  signal: AbortSignal;
  /** Bytes that have left, as far as the browser tells. */
  onProgress: (sent: number) => void;
}

/** One POST of a file, by the one interface of browsers that tells how much of a body was sent. Throws as `send` does. */
export const sendUpload = (path: string, options: UploadOptions, token: string | null): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { body, query, signal, onProgress } = options;
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', apiUrl(path, query));
    // The type is the storage's to find: what this device calls a file may be a form to a server.
    const headers = callerHeaders(token);
    // A form writes its own boundary.
    if (!(body instanceof FormData)) headers.set('Content-Type', 'application/octet-stream');
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onabort = () => reject(signal.reason);
    request.onerror = () => {
      if (reachable.get()) reachable.set(false);
      reject(new ApiError({ status: 0, code: 0, message: text('common:unreachable') }));
    };
    request.onload = async () => {
      if (!reachable.get()) reachable.set(true);
      const answer = parsed(request.responseText);
      if (request.status < 400) return resolve(answer);
      await loadServerWords();
      reject(errorFromResponse(request.status, answer, request.getResponseHeader('X-Request-Id')));
    };
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    request.send(body);
  });

const parsed = (answer: string): unknown => {
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
};
