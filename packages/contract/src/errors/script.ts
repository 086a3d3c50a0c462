import { errorsOfArea } from './catalogue.ts';

/** Scripts around calls and behind services (contract/event-scripts-and-script-services.md). */
export const scriptErrors = errorsOfArea('script', {
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
