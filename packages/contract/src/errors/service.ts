import { errorsOfArea } from './catalogue.ts';

/** Services: finding, opening and calling them (contract/http-basics.md §8). */
export const serviceErrors = errorsOfArea('service', {
  unknown: { status: 404, message: (p: { service: string }) => `Could not find a service for ${p.service}` },
  noCache: { status: 501, message: 'Service does not implement API controlled cache.' },
  inactive: { status: 403, message: (p: { service: string }) => `Service ${p.service} is deactivated.` },
  unsupportedType: { status: 500, message: (p: { type: string }) => `Unsupported service type '${p.type}'.` },
  resourceUnknown: {
    status: 404,
    message: (p: { resource: string; service: string }) =>
      `Resource '${p.resource}' not found for service '${p.service}'.`,
  },
  unavailable: {
    status: 503,
    message: (p: { service: string; problem: string }) => `Service '${p.service}' is not available: ${p.problem}`,
  },
  unsupportedOnWrite: {
    status: 400,
    message: (p: { type: string }) => `Unsupported service type '${p.type}'.`,
    hint: 'GET system/service_type lists the types this server has.',
  },
  noAnswer: {
    status: 503,
    message: (p: { service: string; seconds: number }) =>
      `Service '${p.service}' did not answer within ${p.seconds} seconds.`,
  },
  typeNotFound: { status: 404, message: (p: { type: string }) => `Service type '${p.type}' not found.` },
  notDeletable: { status: 403, message: (p: { service: string }) => `Service '${p.service}' can not be deleted.` },
  singleton: { status: 400, message: (p: { type: string }) => `There can be only one service of type '${p.type}'.` },
  fixed: {
    status: 403,
    message: (p: { service: string; field: string }) => `The ${p.field} of service '${p.service}' can not be changed.`,
  },
  lookupUnknown: {
    status: 503,
    message: (p: { service: string; name: string }) =>
      `Service '${p.service}' is not available: its configuration names the lookup key {${p.name}}, which does not exist.`,
    hint: 'Make the key in Config › Global Lookup Keys. A text that has braces of its own can be the value of a key.',
  },
  lookupsTooLong: {
    status: 503,
    message: (p: { service: string; limit: number }) =>
      `Service '${p.service}' is not available: lookup keys put more than ${p.limit} characters into its configuration.`,
  },
  lookupName: {
    status: 403,
    message: (p: { name: string }) =>
      `The configuration names the lookup key {${p.name}}: only an administrator may change or test it.`,
    hint: 'The values of keys, private ones too, would go where the configuration leads.',
  },
  notRows: { status: 400, message: (p: { text: string }) => p.text },
  databaseName: {
    status: 400,
    message: 'Database connection information must contain at least database name.',
  },
  databaseServer: {
    status: 400,
    message: 'Database connection information must contain at least host and database name.',
  },
  databaseLocation: {
    status: 400,
    message: (p: { database: string; problem: string }) => `The database '${p.database}' can not be used: ${p.problem}`,
    hint: 'Give a bare file name, kept in the folder db of the data folder, or the absolute path of an existing file.',
  },
  ownStore: {
    status: 400,
    message: (p: { table: string }) =>
      `The database can not be used: it shows the platform's own store (table '${p.table}').`,
    hint: "Name another database, one schema, or an account that does not see the store's.",
  },
  connectStatement: {
    status: 400,
    message: (p: { statement: string }) => `The statement '${p.statement}' may not run at connect.`,
    hint: 'Allowed are PRAGMA statements that tune a connection, such as PRAGMA cache_size = -20000.',
  },
});
