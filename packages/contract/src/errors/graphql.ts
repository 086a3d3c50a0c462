import { errorsOfArea } from './catalogue.ts';

/** Requests at /graphql (contract/services-other.md §10). */
export const graphqlErrors = errorsOfArea('graphql', {
  noCaller: {
    status: 401,
    message: 'GraphQL is for callers with an API key or a session that has an active role.',
    hint: 'Send X-DreamFactory-API-Key, X-DreamFactory-Session-Token or Authorization, as headers.',
  },
  contentType: { status: 415, message: 'The Content-Type of a request of GraphQL is application/json.' },
  request: {
    status: 400,
    message: (p: { problem: string }) => `The request is none of GraphQL: ${p.problem}.`,
    hint: 'Send {"query": "…", "variables": {…}, "operationName": "…"}, or a list of such.',
  },
  mutationByGet: { status: 405, message: 'A mutation is sent with POST.' },
  tooDeep: { status: 400, message: (p: { limit: number }) => `The query is nested deeper than ${p.limit} levels.` },
  repeated: {
    status: 400,
    message: (p: { name: string; limit: number }) =>
      `The query has '${p.name}' more than ${p.limit} times in one selection.`,
  },
  tooManyRootFields: {
    status: 400,
    message: (p: { limit: number }) => `The operation has more than ${p.limit} fields, each of which is a call.`,
  },
  tooManyTables: {
    status: 400,
    message: (p: { limit: number }) => `The query leads to more than ${p.limit} tables.`,
  },
  tooManyFields: {
    status: 400,
    message: (p: { limit: number }) => `The answer has more than ${p.limit} fields.`,
    hint: 'Ask for less: fewer records, or fewer fields.',
  },
  relationTwice: {
    status: 400,
    message: (p: { relation: string }) => `The relation '${p.relation}' is requested twice with different arguments.`,
    hint: 'Each field of a query is one call, which reads a relation once. Ask for the other in a field of its own.',
  },
  introspection: {
    status: 400,
    message: (p: { problem: string }) => `The schema cannot be asked for like this: ${p.problem}.`,
    hint: 'Send the introspection query that your client makes, alone.',
  },
  noValue: {
    status: 400,
    message: 'The answer of the call is no JSON.',
    hint: 'A script of the service answers with something else than records.',
  },
});
