import { errorsOfArea } from './catalogue.ts';

/** Services that log (contract/service-types.md §6). */
export const logErrors = errorsOfArea('log', {
  noMessage: { status: 400, message: 'A message is required.' },
  badLevel: { status: 400, message: (p: { levels: string }) => `The level must be one of ${p.levels}.` },
});
