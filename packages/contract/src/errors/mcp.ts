import { errorsOfArea } from './catalogue.ts';

/** Messages of agents at /mcp (contract/mcp.md). */
export const mcpErrors = errorsOfArea('mcp', {
  noCaller: {
    status: 401,
    message: 'Agents call with an API key or a session that has an active role.',
    hint: 'Send X-DreamFactory-API-Key, X-DreamFactory-Session-Token or Authorization with every message, as headers.',
  },
  origin: {
    status: 403,
    message: 'Pages of this origin may not call tools.',
    hint: 'An administrator can allow the origin in system/cors, or set SLUICE_PUBLIC_URL.',
  },
  contentType: { status: 415, message: 'The Content-Type of a message is application/json.' },
  batch: {
    status: 400,
    message: (p: { problem: string }) => `The messages cannot be taken together: ${p.problem}.`,
    hint: 'Since version 2025-06-18 of the protocol a request holds one message.',
  },
  noService: {
    status: 404,
    message: (p: { service: string }) => `There is no service '${p.service}' that this caller may use with tools.`,
    hint: 'The argument service names one of the list of its tool.',
  },
  argument: {
    status: 400,
    message: (p: { name: string; problem: string }) => `The argument '${p.name}' ${p.problem}.`,
    hint: 'The inputSchema of the tool says which arguments it takes.',
  },
  argumentsTooLong: {
    status: 400,
    message: (p: { limit: number }) => `The arguments that make the address have more than ${p.limit} bytes.`,
    hint: 'Send less at once: fewer ids, a shorter filter.',
  },
  noResource: {
    status: 404,
    message: 'There is no such resource.',
    hint: 'resources/list names those there are.',
  },
});
