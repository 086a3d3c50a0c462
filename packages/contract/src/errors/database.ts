import { errorsOfArea } from './catalogue.ts';

/** A database that cannot be reached or does not work. Refused values are `record.database`. */
export const databaseErrors = errorsOfArea('database', {
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
    message: (p: { file: string }) =>
      `The database file '${p.file}' can not grow: its disk is full, or its page limit is reached. Nothing was written.`,
  },
  unreachable: {
    status: 503,
    message: (p: { text: string }) => `The database is not available: ${p.text}.`,
  },
  timeout: {
    status: 503,
    message: (p: { seconds: number }) =>
      `The database took longer than ${p.seconds} ${p.seconds === 1 ? 'second' : 'seconds'} and was stopped.`,
    hint: 'Narrow the filter, ask for fewer records, or index the fields it uses.',
  },
  cancelled: { status: 503, message: 'The query was stopped because the caller went away.' },
  crashed: {
    status: 503,
    message: 'The process that works on the database ended unexpectedly.',
    hint: 'Try again. If the same call fails again, check the memory of the machine and the health of the database.',
  },
  overloaded: { status: 503, message: 'Too many calls are waiting for the database. Try again in a moment.' },
  // ---- the timeout of the queue. 429 where only the caller's own calls are in the way: nothing is wrong with the database ----
  ownWaiting: {
    status: 429,
    message: (p: { limit: number }) =>
      `${p.limit} of your own calls are waiting for the database, as many as may wait of one caller.`,
    hint: 'Wait for some of them before you send more.',
  },
  busy: {
    status: 503,
    message: (p: { seconds: number }) =>
      `All places at the database are taken; this query waited ${p.seconds} s and was not begun.`,
    hint: 'Try again in a moment.',
  },
  ownQueries: {
    status: 429,
    message: (p: { seconds: number; held: number }) =>
      `Your own queries hold ${p.held} of the places at the database, and the last is kept for other callers; this one waited ${p.seconds} s and was not begun.`,
    hint: 'Wait for some of your calls before you send more.',
  },
  exportsBusy: {
    status: 503,
    message: (p: { seconds: number }) =>
      `As many long answers of the database are being read as it gives at once; this one waited ${p.seconds} s and was not begun.`,
    hint: 'Try again in a moment.',
  },
  ownExports: {
    status: 429,
    message: (p: { seconds: number; held: number }) =>
      `Long answers that you are reading hold ${p.held} of the places for them, and the others are kept for other callers; this one waited ${p.seconds} s and was not begun.`,
    hint: 'Read one to its end, or close its connection, before you ask for more.',
  },
  changed: {
    status: 503,
    message: (p: { text: string }) => `The database changed while it was used: ${p.text}.`,
    hint: 'Try again: its schema is read anew.',
  },
  broken: {
    status: 500,
    message: (p: { table: string; text: string }) => `Table "${p.table}" can not be read: ${p.text}.`,
    hint: 'A view whose tables or functions are missing has to be mended or dropped in the database.',
  },
  // ---- databases reached over a network; no message names host, user or path: a call by anyone may answer it ----
  hostUnknown: {
    status: 503,
    message: 'The host of the database is not known.',
    hint: 'Check the host of the service: its name must be known to the machine this server runs on.',
  },
  refused: {
    status: 503,
    message: 'The host of the database takes no connections there.',
    hint: 'Check host and port (or socket) of the service, and that the database is running and listens there.',
  },
  connectTimeout: {
    status: 503,
    message: (p: { seconds: number }) => `The host of the database did not answer within ${p.seconds} seconds.`,
    hint: 'Check host and port of the service, and that no firewall lies between this server and the database.',
  },
  login: {
    status: 503,
    message: 'The database did not accept the user name or the password.',
    hint: 'Check user name and password of the service.',
  },
  databaseUnknown: {
    status: 503,
    message: 'The database server has no database of that name.',
    hint: 'Check the database of the service; letter case may matter.',
  },
  notAdmitted: {
    status: 503,
    message: 'The database does not let this user connect from this machine to that database.',
    hint: 'The rules are in the database server: pg_hba.conf and CONNECT of PostgreSQL, the hosts and grants of a user of MySQL. They may also ask for TLS.',
  },
  noConnectionLeft: {
    status: 503,
    message: 'The database takes no more connections.',
    hint: 'Lower Maximum Connections of the services that use it, or raise its limit.',
  },
  noTls: {
    status: 503,
    message: 'The database does not offer encrypted connections (TLS), which this service asks for.',
    hint: 'Set up TLS in the database server, or let the service connect without it.',
  },
  certificate: {
    status: 503,
    message: (p: { text: string }) => `The certificate of the database is not trusted: ${p.text}.`,
    hint: 'Give the service the certificate of the authority that signed it, and the host name it was made for.',
  },
  nonsense: {
    status: 503,
    message: 'What answers there is no database of this kind, or it is out of order.',
    hint: 'Check host and port of the service, and the type of the database that listens there.',
  },
  starting: {
    status: 503,
    message: 'The database is starting up or shutting down.',
    hint: 'Try again in a moment.',
  },
  lost: {
    status: 503,
    message: 'The connection to the database was lost. Nothing was changed.',
    hint: 'Try again in a moment.',
  },
  unsure: {
    status: 503,
    message:
      'The connection to the database was lost while it was writing. It is not known whether the change was made.',
    hint: 'Read the record before trying again.',
  },
  conflict: {
    status: 503,
    message: 'Other calls work on the same records, and the database chose to stop this one. Nothing was changed.',
    hint: 'Try again in a moment.',
  },
  diskFull: { status: 507, message: 'The disk of the database is full. Nothing was written.' },
  denied: {
    status: 403,
    message: (p: { text: string }) => `The database user of this service may not do that: ${p.text}.`,
    hint: 'Grant the right to the user in the database, or let the service connect as another one.',
  },
  statement: {
    status: 503,
    message: (p: { text: string }) => `A statement the service runs at connect failed: ${p.text}.`,
    hint: 'Check Additional SQL Statements of the service.',
  },
  tooLarge: {
    status: 400,
    message: (p: { limit: number }) => `The answer is longer than ${p.limit} characters.`,
    hint: 'Ask for fewer records or fewer fields.',
  },
});
