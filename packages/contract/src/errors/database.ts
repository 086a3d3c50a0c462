import { catalogue } from './catalogue.ts';

/** A database that can not be reached or does not do as asked. Refused values are `record.database`. */
export const databaseErrors = catalogue('database', {
  missing: {
    status: 503,
    message: (p: { file: string }) => `The database file '${p.file}' does not exist.`,
    hint: 'Check the database of the service, or create the file.',
  },
  folderMissing: {
    status: 503,
    message: (p: { file: string }) => `The folder of the database file '${p.file}' does not exist.`,
    hint: 'Create the folder, or check the database of the service.',
  },
  cannotOpen: {
    status: 503,
    message: (p: { file: string; text: string }) => `The database file '${p.file}' can not be opened: ${p.text}.`,
    hint: 'Check that it is a file and that the account the server runs under may read and write it and its folder.',
  },
  notADatabase: {
    status: 503,
    message: (p: { file: string }) => `The file '${p.file}' is not a SQLite database, or it is encrypted.`,
  },
  corrupt: {
    status: 503,
    message: (p: { file: string; text: string }) => `The database file '${p.file}' is damaged: ${p.text}.`,
    hint: 'Restore it from a backup, or try the .recover command of the sqlite3 program.',
  },
  locked: {
    status: 503,
    message: (p: { file: string }) => `The database file '${p.file}' is locked by another program.`,
    hint: 'Try again in a moment.',
  },
  readOnly: {
    status: 503,
    message: (p: { file: string }) => `The database file '${p.file}' can be read but not written.`,
    hint: 'Check that the account the server runs under may write the file and its folder.',
  },
  full: {
    status: 507,
    message: (p: { file: string }) => `The disk that holds the database file '${p.file}' is full. Nothing was written.`,
  },
  unreachable: {
    status: 503,
    message: (p: { text: string }) => `The database is not available: ${p.text}.`,
  },
  timeout: {
    status: 503,
    message: (p: { seconds: number }) => `The database took longer than ${p.seconds} seconds and was stopped.`,
    hint: 'Narrow the filter, ask for fewer records, or index the fields it uses.',
  },
  cancelled: { status: 503, message: 'The query was stopped because the caller went away.' },
  crashed: {
    status: 503,
    message: 'The process that works on the database ended unexpectedly.',
    hint: 'Try again. If the same call fails again, check the memory of the machine and the health of the database.',
  },
  overloaded: { status: 503, message: 'Too many calls are waiting for the database. Try again in a moment.' },
  changed: {
    status: 503,
    message: (p: { text: string }) => `The database changed while it was used: ${p.text}.`,
    hint: 'Try again: its schema is read anew.',
  },
  broken: {
    status: 503,
    message: (p: { table: string; text: string }) => `Table "${p.table}" can not be read: ${p.text}.`,
    hint: 'A view whose tables or functions are missing has to be mended or dropped in the database.',
  },
  tooLarge: {
    status: 400,
    message: (p: { limit: number }) => `The answer is longer than ${p.limit} characters.`,
    hint: 'Ask for fewer records or fewer fields.',
  },
});
