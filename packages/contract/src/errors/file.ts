import { errorsOfArea } from './catalogue.ts';

/** Files and folders of file services (contract/files.md). */
export const fileErrors = errorsOfArea('file', {
  badPath: {
    status: 400,
    message: (p: { path: string; problem: string }) => `The path '${p.path}' can not be used: ${p.problem}`,
    hint: 'Paths are relative to the service, with / between their parts; a folder ends with /.',
  },
  badContainer: {
    status: 400,
    message: (p: { container: string; problem: string }) =>
      `The root folder '${p.container}' can not be used: ${p.problem}`,
    hint: 'Give a name or a relative path, kept in the folder files of the data folder, or an absolute path outside the data folder.',
  },
  emptyPath: { status: 400, message: 'Invalid empty path.' },
  notFound: {
    status: 404,
    message: (p: { path: string }) => `The specified file '${p.path}' was not found in storage.`,
  },
  folderNotFound: {
    status: 404,
    message: (p: { path: string }) => `Folder '${p.path}' does not exist in storage.`,
  },
  sourceMissing: { status: 404, message: (p: { path: string }) => `File '${p.path}' does not exist.` },
  folderMissing: { status: 404, message: (p: { path: string }) => `Folder '${p.path}' does not exist.` },
  deleteMissing: { status: 404, message: (p: { path: string }) => `File '${p.path}' was not found.` },
  exists: { status: 400, message: (p: { path: string }) => `File '${p.path}' already exists.` },
  stale: {
    status: 412,
    message: (p: { path: string }) => `File '${p.path}' was changed or deleted by someone else in the meantime.`,
    hint: 'Read it again; send the ETag of that answer as If-Match.',
  },
  replaced: {
    status: 503,
    message: (p: { path: string }) => `File '${p.path}' was replaced just when it was read. Try again.`,
  },
  folderExists: { status: 400, message: (p: { path: string }) => `Folder '${p.path}' already exists.` },
  notEmpty: { status: 400, message: 'Directory not empty, can not delete without force option.' },
  noResources: { status: 400, message: 'No resources given for delete.' },
  noName: { status: 400, message: 'No path or name provided for resource.' },
  tooManyItems: {
    status: 400,
    message: (p: { limit: number }) => `One call can name ${p.limit} files and folders at most.`,
  },
  notInFolder: {
    status: 400,
    message: (p: { path: string; folder: string }) => `The path '${p.path}' is not in the folder '${p.folder}'.`,
  },
  severalFiles: {
    status: 400,
    message: (p: { name: string }) => `Multiple files uploaded to a single REST resource '${p.name}'.`,
  },
  noFile: { status: 400, message: (p: { name: string }) => `No file uploaded to REST resource '${p.name}'.` },
  intoItself: {
    status: 400,
    message: (p: { path: string }) => `Folder '${p.path}' can not be copied or moved into itself.`,
  },
  otherContainer: {
    status: 400,
    message: (p: { container: string }) => `The service has no container '${p.container}' beside its own.`,
  },
  tooLargeToShow: {
    status: 413,
    message: (p: { path: string; limit: number }) =>
      `File '${p.path}' has more than ${p.limit} bytes, the most that can be shown inside its properties.`,
    hint: 'Read the file itself: the same address without include_properties.',
  },
  // ---- zips that are extracted ----
  notZip: { status: 500, message: 'Error opening temporary zip file. code = 19' },
  badZip: {
    status: 400,
    message: (p: { problem: string }) => `The zip can not be extracted: ${p.problem}`,
    hint: 'Nothing was written.',
  },
  notCleaned: {
    status: 500,
    message: (p: { path: string; reason: string }) => `Could not clean out existing directory ${p.path}.\n${p.reason}`,
  },
  notUploaded: {
    status: 500,
    message: (p: { folder: string; names: string }) =>
      `Failed to upload the following files to folder ${p.folder}: ${p.names}`,
    hint: 'The context has the reason for each; all other files were written.',
  },
  propertiesNotImplemented: {
    status: 501,
    message: (p: { kind: string }) => `Updating ${p.kind} properties is not implemented for current file system.`,
  },
  // ---- storages on other machines ----
  noBucket: {
    status: 500,
    message: (p: { name: string }) =>
      `S3 file service bucket not specified. Please check configuration for file service - ${p.name}.`,
  },
  unreachable: {
    status: 503,
    message: (p: { text: string }) => `The storage is not available: ${p.text}.`,
    hint: 'Check its address, and whether the network leads there.',
  },
  timeout: {
    status: 503,
    message: (p: { seconds: number }) => `The storage did not answer within ${p.seconds} seconds.`,
  },
  loginRefused: {
    status: 503,
    message: (p: { text: string }) => `The storage does not accept the login of the service: ${p.text}.`,
  },
  denied: {
    status: 403,
    message: (p: { path: string }) => `The storage does not let the service do this to '${p.path}'.`,
    hint: 'The account of the service needs the right to do so in the storage itself.',
  },
  full: { status: 507, message: 'The storage has no room for the file. Nothing was written.' },
  storageFailed: {
    status: 502,
    message: (p: { text: string }) => `The storage answered with an error: ${p.text}.`,
  },
  publicDenied: { status: 403, message: 'Access denied, please contact your system administrator.' },
  publicReserved: {
    status: 400,
    message: (p: { name: string }) =>
      `A service named '${p.name}' can have no public path: /${p.name} is an address of the console.`,
    hint: 'Give the service another name, or no public path.',
  },
});
