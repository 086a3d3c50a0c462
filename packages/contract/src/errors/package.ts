import { errorsOfArea } from './catalogue.ts';

/** Packages (contract/packages.md). */
export const packageErrors = errorsOfArea('package', {
  // ---- export ----
  passwordMissing: { status: 400, message: 'Password is required for secured package.' },
  passwordShort: { status: 400, message: 'Password must be at least 6 characters long for secured package.' },
  empty: { status: 400, message: 'No items found in package manifest.' },
  itemMissing: { status: 404, message: (p: { item: string }) => `Resource not found for ${p.item}` },
  noIds: { status: 400, message: (p: { item: string }) => `No resource ids or filter provided for ${p.item}.` },
  notGranular: {
    status: 400,
    message: (p: { resource: string }) => `Granular export not supported for resource ${p.resource}`,
  },
  tableNotGranular: { status: 501, message: 'Granular export for _table resource is not supported.' },
  routineNotExported: {
    status: 501,
    message: (p: { resource: string }) => `Exporting ${p.resource} resource is not supported.`,
  },
  storageMissing: {
    status: 500,
    message: (p: { service: string }) => `Can not find storage service ${p.service}.`,
    hint: 'storage.name is the name of an active file service.',
  },
  notExported: { status: 500, message: (p: { text: string }) => `Failed to export resources. ${p.text}` },
  notSaved: {
    status: 500,
    message: (p: { service: string; text: string }) =>
      `Failed to save the exported package using storage service ${p.service}. ${p.text}`,
  },
  tooLarge: {
    status: 400,
    message: (p: { limit: number }) => `The package has more than ${p.limit} bytes, the most that is accepted.`,
    hint: 'Nothing was written. Choose fewer items.',
  },
  partTooLarge: {
    status: 400,
    message: (p: { path: string; limit: number }) =>
      `'${p.path}' of the package has more than ${p.limit} bytes, the most that is accepted.`,
    hint: 'Nothing was written. Choose fewer items.',
  },
  // ---- import ----
  manifestUnread: {
    status: 400,
    message: 'Cannot read package manifest. A valid password is required if this is a secured package.',
  },
  wrongPassword: { status: 401, message: 'Invalid password.' },
  wrongEnding: { status: 400, message: "Only package files ending with 'zip' are allowed for import." },
  severalFiles: { status: 400, message: 'Only a single package file is allowed for import.' },
  invalid: { status: 400, message: 'Invalid package supplied.' },
  badPart: {
    status: 400,
    message: (p: { path: string }) => `Invalid package supplied. '${p.path}' is not what a package has there.`,
    hint: 'Nothing was written.',
  },
  newer: {
    status: 400,
    message: (p: { version: string; known: string }) =>
      `The package has version ${p.version}, and this server reads packages up to version ${p.known}.`,
  },
  notZip: { status: 400, message: 'Failed to open imported zip file.' },
  notFetched: {
    status: 500,
    message: (p: { url: string; text: string }) => `Failed to import package from ${p.url}. ${p.text}`,
  },
  notInserted: { status: 500, message: (p: { what: string; text: string }) => `Failed to insert ${p.what}. ${p.text}` },
});
