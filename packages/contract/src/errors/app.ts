import { errorsOfArea } from './catalogue.ts';

/** Apps as records (contract/system-resources.md §4). */
export const appErrors = errorsOfArea('app', {
  ofConsole: {
    status: 403,
    message: (p: { app: string }) => `The app '${p.app}' holds the API key of the console and can not be deleted.`,
  },
  consoleFixed: {
    status: 403,
    message: (p: { app: string; field: string }) =>
      `The app '${p.app}' holds the API key of the console: ${p.field} can not be changed.`,
  },
});
