// Talking to the instance: calls, session, environment. Screens use `api`, the hooks and `ApiError`; nothing else calls `fetch`.
// Signed-out pages import the single files instead: they are to stay small, and need no store of what was read.

export { listAgentTools } from './agent-tools.ts';
export { api } from './client.ts';
export { useConsoleSettings } from './console-settings.ts';
export { download, downloadUrl, saveBlob } from './download.ts';
export { ApiError, batchErrorCode } from './errors.ts';
export { etagOf } from './etag.ts';
export { type Caller, type Exchange, exchange, type Sending } from './exchange.ts';
export { prefetch, queryClient } from './query-client.ts';
export {
  agentAddress,
  apiAddress,
  apiUrl,
  type CallOptions,
  connection,
  graphqlAddress,
  type QueryValue,
  reachable,
} from './send.ts';
export {
  type Credentials,
  completeSignIn,
  type FirstAdmin,
  forgetSession,
  hasPendingSignIn,
  refreshEnvironment,
  setUp,
  signIn,
  signOut,
  updateSession,
} from './session.ts';
export { currentSession, currentToken, type StoredSession, useEnvironment, useSession } from './session-state.ts';
