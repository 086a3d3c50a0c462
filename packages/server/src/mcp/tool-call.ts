// A tool that is called: its arguments into a call of the service that they name.
import { ExactNumber, Failure, fail } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import type { Platform } from '../gateway/platform.ts';
import type { DocumentedServices } from '../openapi/index.ts';
import type { ServiceRow } from '../service/registry.ts';
import type { ListedOperation } from '../service/route-table.ts';
import { type AgentAnswer, type AgentRequest, callForAgent, failureJson } from './agent-call.ts';
import { agentContent } from './agent-content.ts';
import { definedOperations, findAgentService } from './agent-services.ts';
import { RpcError } from './rpc-error.ts';
import { argumentsOf } from './tool-input.ts';
import { namedOperations } from './tool-name.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** Calls a tool. What is wrong with its arguments is an answer, too: a model can correct them. */
export async function callTool(
  name: string,
  args: ToolArguments,
  message: Call,
  services: DocumentedServices,
  platform: Platform,
): Promise<AgentAnswer> {
  let request: AgentRequest;
  try {
    request = await requestOf(name, args, message, services, platform);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    platform.metrics.countFailure(error);
    return { text: failureJson(error, message), isError: true };
  }
  return callForAgent(message, request, platform, agentContent);
}

async function requestOf(
  name: string,
  args: ToolArguments,
  message: Call,
  services: DocumentedServices,
  { definitions }: Platform,
): Promise<AgentRequest> {
  const serviceName = textOf('service', args.service);
  const row = await findAgentService(services, message.caller, serviceName);
  if (!row) throw fail('mcp.noService', { service: serviceName.slice(0, 200) });
  const definition = await services.of(row.id);
  const routes = services.type(row.type)?.routes;
  const operations = definition ? definedOperations(definition) : (routes?.operations ?? []);
  const operation = namedOperations(operations).get(name);
  if (!operation) throw new RpcError(`The service has no tool of the name ${JSON.stringify(name.slice(0, 100))}.`);
  const request = fillIn(operation, row, args);
  const { path, verb } = request;
  const match = definition ? await definitions.match(row.id, path) : routes?.match(path, verb)?.operation;
  // A value that makes another address of this one; the root of a definition matches nothing.
  if ((match?.path ?? '') !== operation.path)
    throw fail('mcp.argument', { name: firstPlaceholder(operation), problem: 'leads to another address' });
  return request;
}

const firstPlaceholder = (operation: ListedOperation): string =>
  [...argumentsOf(operation)].find(([, argument]) => argument.in === 'path')?.[0] ?? 'service';

function fillIn(operation: ListedOperation, { key }: ServiceRow, args: ToolArguments): AgentRequest {
  const known = argumentsOf(operation);
  for (const name of Object.keys(args))
    if (name !== 'service' && !known.has(name) && !(name === 'body' && operation.body !== undefined))
      throw fail('mcp.argument', { name: name.slice(0, 100), problem: 'is none of this tool' });
  const values = new Map<string, string>();
  const query = new Map<string, string>();
  for (const [name, argument] of known) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (argument.in === 'path') values.set(argument.name, textOf(name, value));
    else if (value !== undefined && value !== null) query.set(argument.name, parameterText(name, value));
  }
  const { verb } = operation;
  const body = bodyOf(operation, args);
  return { verb, service: key, path: pathOf(operation, values), query, ...body };
}

/** The path of the address: a value stands for one part of it, or for several where its placeholder takes slashes. */
function pathOf({ path, takesSlashes, endsInSlash }: ListedOperation, values: ReadonlyMap<string, string>): string {
  const parts = path.split('/');
  const filled = parts.map((part, index) => {
    const name = /^\{([^}]*)\}$/.exec(part)?.[1];
    if (name === undefined)
      return part.replace(/\{([^}]*)\}/g, (_, inner: string) => onePart(inner, values.get(inner) ?? ''));
    const value = values.get(name) ?? '';
    if (!(takesSlashes && index === parts.length - 1)) return onePart(name, value);
    const trimmed = value.replace(/^\/+|\/+$/g, '');
    if (trimmed === '') throw fail('mcp.argument', { name, problem: 'is empty' });
    return trimmed;
  });
  return `${filled.join('/')}${endsInSlash ? '/' : ''}`;
}

function onePart(name: string, value: string): string {
  if (value === '') throw fail('mcp.argument', { name, problem: 'is empty' });
  if (value.includes('/')) throw fail('mcp.argument', { name, problem: 'holds a slash' });
  return value;
}

function bodyOf({ body }: ListedOperation, args: ToolArguments): Pick<AgentRequest, 'payload' | 'type'> {
  if (body === undefined || !Object.hasOwn(args, 'body')) return {};
  const payload = args.body;
  if (body !== 'bytes' && body !== 'text') return { payload, type: 'application/json' };
  if (typeof payload !== 'string') throw fail('mcp.argument', { name: 'body', problem: 'is no text' });
  return { payload, type: body === 'text' ? 'text/plain' : 'application/octet-stream' };
}

function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null) throw fail('mcp.argument', { name, problem: 'is missing' });
  return parameterText(name, value);
}

/** A value as it stands in an address; a list has commas. */
function parameterText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => scalarText(name, item)).join(',');
  return scalarText(name, value);
}

function scalarText(name: string, value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw fail('mcp.argument', { name, problem: 'is no single value' });
}
