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
  filesKept: {
    status: 500,
    message: (p: { app: string; place: string; text: string }) =>
      `The app '${p.app}' is deleted, but not all of its files in '${p.place}': ${p.text}`,
    hint: 'Delete the folder with a call to the file service.',
  },
});
