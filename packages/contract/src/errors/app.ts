import { errorsOfArea } from './catalogue.ts';

/** Apps as records (contract/system-resources.md §4) and as packages (contract/packages.md §5). */
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
  // ---- import of packages ----
  severalPackages: { status: 400, message: 'Only a single application package file is allowed for import.' },
  notPackage: { status: 400, message: "Only package files ending with 'dfpkg' are allowed for import." },
  packageUnopened: { status: 500, message: 'Error opening zip file.', hint: 'A package is a zip.' },
  noDescription: { status: 400, message: 'No application description file in this package file.' },
  nameless: { status: 400, message: 'No App name provided in description.json' },
  pathless: { status: 400, message: 'No Application Path provided in description.json' },
  urlless: { status: 400, message: 'No Application URL provided in description.json' },
  badStorage: {
    status: 400,
    message: 'Invalid Storage Service provided.',
    hint: 'storage_service_id is the id of an active file service.',
  },
  schemaEmpty: {
    status: 400,
    message:
      'Could not create the database tables for this application.\nDatabase service or schema not found in schema.json.',
  },
  dataEmpty: {
    status: 400,
    message: 'Could not create the database tables for this application.\nDatabase service or data not found.',
  },
  notCreated: { status: 500, message: (p: { text: string }) => `Could not create the application.\n${p.text}` },
  servicesNotCreated: { status: 500, message: (p: { text: string }) => `Could not create the services.\n${p.text}` },
  tablesNotCreated: {
    status: 500,
    message: (p: { text: string }) => `Could not create the database tables for this application.\n${p.text}`,
    hint: 'Nothing stayed of the import but what the message says was not taken back.',
  },
  filesNotImported: {
    status: 500,
    message: (p: { text: string }) => `Could not import the files of this application.\n${p.text}`,
    hint: 'Nothing stayed of the import but what the message says was not taken back.',
  },
  // ---- export of packages ----
  unknown: { status: 404, message: (p: { id: string }) => `App not found in database with app id - ${p.id}` },
  badSchemaParameter: {
    status: 400,
    message: "The parameter 'schema' has to be a JSON object of lists of tables by service.",
  },
  fileReserved: {
    status: 400,
    message: (p: { path: string }) => `The file '${p.path}' of the app has a name that packages keep for themselves.`,
    hint: 'Rename the file, or move it into a folder.',
  },
});
