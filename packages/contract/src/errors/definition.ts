import { errorsOfArea } from './catalogue.ts';

/** Definitions of services: OpenAPI documents written by hand (contract/event-scripts-and-script-services.md §7). */
export const definitionErrors = errorsOfArea('definition', {
  badFormat: {
    status: 500,
    message: (p: { format: number }) => `Invalid API Doc Format '${p.format}'.`,
    hint: 'format 0 is JSON, 1 is YAML.',
  },
  unreadable: {
    status: 500,
    message: (p: { service: string; problem: string }) =>
      `The definition of service '${p.service}' can not be read: ${p.problem}`,
    hint: 'Services › Definition has its text.',
  },
});
