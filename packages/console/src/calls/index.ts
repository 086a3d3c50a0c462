// Calls of the API as programs make them: written as curl, JavaScript, Python and PHP, run from here, and the keys they need.
//   code/    a call, and writing it; pure
//   key/     "Create API key"
//   drawer/  the call for what a table shows
// No other room writes a call as code: a screen that shows one describes it as `ApiCall`.

export { CallCode } from './call-code.tsx';
export { type ApiCall, encodeSegment, quoteForShell } from './code/call.ts';
export { useCaller } from './drawer/use-caller.tsx';
export { firstCalls } from './first-calls.ts';
export { CreateKeyButton } from './key/create-key-button.tsx';
export { mayCreateKeys, useMayCreateKeys } from './key/permission.ts';
export { type KeyPreset, openCreateKey } from './key/requests.ts';
export { RunCall } from './run-call.tsx';
