import { isRenewable, isRepeatable, isSessionOver, isTokenRefused, renew, waitForSignIn } from './renewal.ts';
import { type CallOptions, type Method, send } from './send.ts';
import { currentSession, currentToken, sessionState } from './session-state.ts';
import { sendUpload, type UploadOptions } from './upload.ts';

/**
 * A call with the person's session. A session that ended is renewed once; where that fails or is not wanted, the login overlay opens over the page.
 * Then the call is made again, as it was (SES-099…101).
 */
const withSession = async (path: string, attempt: (token: string | null) => Promise<unknown>): Promise<unknown> => {
  const canRepeat = isRepeatable(path);
  if (canRepeat && sessionState.get().isLocked) await waitForSignIn();
  const person = currentSession()?.id;
  const token = currentToken();
  try {
    return await attempt(token);
  } catch (error) {
    if (!token || !canRepeat || !isSessionOver(error)) throw error;
    if (isRenewable() && (await renew(token))) {
      try {
        return await attempt(currentToken());
      } catch (second) {
        if (!isTokenRefused(second)) throw second;
      }
    }
    await waitForSignIn();
    // What one person began is not finished in the name of another.
    if (currentSession()?.id !== person) throw error;
    return attempt(currentToken());
  }
};

const verb =
  (method: Method) =>
  <T = unknown>(path: string, options?: CallOptions): Promise<T> =>
    withSession(path, (token) => send(method, path, options ?? {}, token)) as Promise<T>;

/**
 * The instance's API. Paths are relative to `/api/v2` (`system/service/7`); segments that may hold odd characters are encoded by the caller.
 * Throws `ApiError`.
 */
export const api = {
  get: verb('GET'),
  post: verb('POST'),
  put: verb('PUT'),
  patch: verb('PATCH'),
  delete: verb('DELETE'),
  /** A POST of a file that tells how far it is. */
  upload: (path: string, options: UploadOptions): Promise<unknown> =>
    withSession(path, (token) => sendUpload(path, options, token)),
};
