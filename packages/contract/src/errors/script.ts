import { errorsOfArea } from './catalogue.ts';

/** Scripts around calls and behind services (contract/event-scripts-and-script-services.md). */
export const scriptErrors = errorsOfArea('script', {
  threw: { status: 500, message: (p: { text: string }) => p.text },
  typeUnknown: { status: 404, message: (p: { type: string }) => `Script engine type '${p.type}' not found.` },
  allDisabled: { status: 503, message: 'All scripting is disabled for this instance.' },
  disabled: {
    status: 503,
    message: (p: { type: string }) => `Scripting with ${p.type} is disabled for this instance.`,
  },
  engineMissing: {
    status: 503,
    message: (p: { type: string; missing: string }) => `This instance cannot run ${p.type} scripts. ${p.missing}`,
  },
  timeout: {
    status: 500,
    message: (p: { name: string; seconds: number }) =>
      `Script '${p.name}' was ended: the scripts of its call took more than ${p.seconds} seconds.`,
    hint: 'SLUICE_SCRIPT_SECONDS is the time that they have.',
  },
  busy: { status: 503, message: 'Too many scripts are running. Try again in a moment.' },
  gone: { status: 500, message: (p: { name: string }) => `Script '${p.name}' was ended: its caller has gone.` },
  tooDeep: {
    status: 500,
    message: (p: { name: string; limit: number }) =>
      `Script '${p.name}' was ended: more than ${p.limit} scripts called each other.`,
    hint: 'Look for a script whose calls lead to itself.',
  },
  tooManyCalls: {
    status: 500,
    message: (p: { name: string; limit: number }) =>
      `Script '${p.name}' was ended: the scripts of its call made more than ${p.limit} calls.`,
  },
  tooMuchOutput: {
    status: 500,
    message: (p: { name: string; limit: number }) =>
      `Script '${p.name}' was ended: it printed more than ${p.limit} characters.`,
  },
  valueTooLong: {
    status: 500,
    message: (p: { name: string; limit: number }) =>
      `Script '${p.name}' was ended: it keeps values of more than ${p.limit} characters.`,
  },
  keyGone: {
    status: 403,
    message: 'The API key that this was asked for with is not valid any more.',
    hint: 'A queued script, and the call of a message, run as their caller, and what they may do then counts.',
  },
  notLoaded: {
    status: 503,
    message: (p: { name: string }) => `Script '${p.name}' could not be loaded.`,
    hint: 'It lies in another service. The log says why; SLUICE_SCRIPTS_SKIP_UNLOADABLE lets calls go on without it.',
  },
  notLinkable: {
    status: 400,
    message: 'What a script is linked to must be a file of a file service or of a repository.',
  },
  notText: { status: 500, message: 'A script must be a text in UTF-8.' },
  curlOption: {
    status: 400,
    message: (p: { name: string }) => `The option ${p.name} is not one that calls of scripts take.`,
    hint: 'docs/contract/event-scripts-and-script-services.md lists the options of curl that they take.',
  },
  payloadTooLarge: {
    status: 413,
    message: (p: { limit: number }) => `The payload of the call has more than ${p.limit} bytes.`,
  },
  outsideFailed: {
    status: 502,
    message: (p: { problem: string }) => `The call to the other server failed: ${p.problem}.`,
  },
  outsideTooLarge: {
    status: 502,
    message: (p: { limit: number }) => `The answer of the other server has more than ${p.limit} bytes.`,
  },
  notInDryRun: {
    status: 403,
    message: 'A dry run only reads: this call is shown and not made.',
  },
  dryRunInside: { status: 400, message: 'A script cannot start a dry run.' },
  noEvent: {
    status: 500,
    message: (p: { name: string }) => `Script '${p.name}' did not return an array: `,
    hint: 'The script ended without an event that can be read.',
  },
  exit: {
    status: 500,
    message: (p: { code: number }) => `Executed command returned with error code: ${p.code}`,
    hint: 'The script ended its process. `context.script` names it.',
  },
  memory: {
    status: 500,
    message: (p: { name: string; limit: number }) =>
      `Script '${p.name}' was ended: it needed more than ${p.limit} bytes of memory.`,
  },
  tooMuchResult: {
    status: 500,
    message: (p: { name: string; limit: number }) =>
      `Script '${p.name}' was ended: its result is longer than ${p.limit} characters.`,
  },
});
