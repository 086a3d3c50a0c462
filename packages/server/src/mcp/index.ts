// The Model Context Protocol: operations of services as tools, tables as resources, for agents. It has no sessions: each message
// stands alone and is answered as its caller may be. http/mcp.ts is its address. The SDK is loaded at the first message.
import { Failure, fail } from '@sluice/contract';
import type { Call, Payload } from '../call/call.ts';
import { isRecord } from '../call/payload.ts';
import type { Platform } from '../gateway/platform.ts';
import { sluiceVersion } from '../settings/version.ts';
import type { AgentContent } from './agent-content.ts';
import { instructions } from './instructions.ts';
import { listResources, readResource, resourceTemplate } from './resources.ts';
import { RpcError, rpcErrorOf } from './rpc-error.ts';
import { loadSdk } from './sdk.ts';
import { callTool } from './tool-call.ts';
import { listTools, toolsPerPage } from './tools.ts';

/** Bytes of a request. */
export const maxMessage = 1024 * 1024;
/** Messages that come together, as versions before 2025-06-18 may send them. */
const maxBatch = 10;

export interface McpAnswer {
  status: number;
  /** JSON; empty where there is nothing to say. */
  text: string;
}

/** Answers what an agent sent. `version` is the one of the protocol that it says it speaks. */
export async function answerAgent(
  message: Call,
  payload: Payload,
  version: string | undefined,
  platform: Platform,
): Promise<McpAnswer> {
  const parsedBody = Array.isArray(payload) ? checkBatch(payload, version) : payload;
  const { Transport } = await loadSdk();
  const transport = new Transport({ enableJsonResponse: true });
  const server = await createServer(message, platform);
  await server.connect(transport as never);
  try {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    };
    const request = new Request('http://localhost/mcp', { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: parsedBody ?? null });
    return { status: response.status, text: await response.text() };
  } finally {
    await server.close();
  }
}

/** The versions whose requests hold several messages. */
const batchVersions = new Set(['2025-03-26', '2024-11-05', '2024-10-07']);

function checkBatch(messages: unknown[], version: string | undefined): unknown[] {
  if (version !== undefined && !batchVersions.has(version))
    throw fail('mcp.batch', { problem: 'this version of the protocol has one in a request' });
  if (messages.length === 0 || messages.length > maxBatch)
    throw fail('mcp.batch', { problem: `there may be 1 to ${maxBatch}` });
  const ids = messages.flatMap((item) => (isRecord(item) && item.id !== undefined ? [item.id] : []));
  if (new Set(ids).size < ids.length) throw fail('mcp.batch', { problem: 'two have one id' });
  // A request that is cancelled has no answer, and the others would wait for it.
  return messages.filter((item) => !isRecord(item) || item.method !== 'notifications/cancelled');
}

async function createServer(message: Call, platform: Platform) {
  const { Server, schemas, validator } = await loadSdk();
  const server = new Server(
    { name: 'sluice', title: 'Sluice', version: sluiceVersion },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: validator },
  );
  const { caller } = message;
  const services = { ...platform.services, of: platform.definitions.of };

  /** What fails is answered as the protocol has it, and nothing of the inside with it. */
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RpcError)) platform.metrics.countFailure(error);
      if (!(error instanceof RpcError || error instanceof Failure))
        platform.log.error({ reqId: message.id, err: error }, 'unexpected error');
      throw rpcErrorOf(error);
    }
  };

  server.setRequestHandler(schemas.ListToolsRequestSchema, ({ params }) =>
    guarded(async () => {
      const first = toolPlace(params?.cursor);
      const tools = await listTools(services, caller);
      const next = first + toolsPerPage;
      return { tools: tools.slice(first, next), ...(next < tools.length ? { nextCursor: String(next) } : {}) };
    }),
  );
  server.setRequestHandler(schemas.CallToolRequestSchema, ({ params }) =>
    guarded(async () => {
      const { isError, ...answer } = await callTool(params.name, params.arguments ?? {}, message, services, platform);
      return { content: [toolContent(answer, message)], isError };
    }),
  );
  server.setRequestHandler(schemas.ListResourcesRequestSchema, ({ params }) =>
    guarded(async () => ({ ...(await listResources(services, caller, params?.cursor)) })),
  );
  server.setRequestHandler(schemas.ListResourceTemplatesRequestSchema, () =>
    guarded(async () => ({ resourceTemplates: [resourceTemplate] })),
  );
  server.setRequestHandler(schemas.ReadResourceRequestSchema, ({ params }) =>
    guarded(async () => {
      const { isError, ...answer } = await readResource(params.uri, message, services, platform);
      if (!('text' in answer))
        return { contents: [{ uri: params.uri, mimeType: answer.contentType, blob: answer.base64 }] };
      if (isError) throw new RpcError(answer.text);
      return { contents: [{ uri: params.uri, mimeType: resourceTemplate.mimeType, text: answer.text }] };
    }),
  );
  return server;
}

/** Pictures and sounds as such, for models that see and hear; of other bytes a resource with a name of its own. */
function toolContent(answer: AgentContent, { id }: Pick<Call, 'id'>) {
  if ('text' in answer) return { type: 'text' as const, text: answer.text };
  const { base64, contentType } = answer;
  const mimeType = contentType.replace(/;.*/, '').trim().toLowerCase();
  if (/^image\/(png|jpeg|gif|webp)$/.test(mimeType)) return { type: 'image' as const, data: base64, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio' as const, data: base64, mimeType };
  return { type: 'resource' as const, resource: { uri: `sluice://answer/${id}`, mimeType, blob: base64 } };
}

function toolPlace(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,4}$/.test(cursor)) throw new RpcError('There is no such cursor.');
  return Number(cursor);
}
