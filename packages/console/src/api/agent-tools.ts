// The tools that an agent finds with a key, found as an agent finds them: by the Model Context Protocol.
import { loadServerWords, text } from '../text/index.ts';
import { ApiError, errorFromResponse } from './errors.ts';
import { agentAddress } from './send.ts';

const protocolVersion = '2025-06-18';

/** Pages of tools that are read at most. */
const maxPages = 20;

interface ToolPage {
  tools: { name: string }[];
  nextCursor?: string;
}

/** The names of the tools that the key is offered. Throws what the instance refuses, as of any call. */
export async function listAgentTools(apiKey: string, signal: AbortSignal): Promise<string[]> {
  const clientInfo = { name: 'sluice-console', version: '1' };
  const hello = await ask(
    'initialize',
    { protocolVersion, capabilities: {}, clientInfo },
    apiKey,
    protocolVersion,
    signal,
  );
  const agreed = (hello as { protocolVersion?: unknown } | undefined)?.protocolVersion;
  if (typeof agreed !== 'string') throw unreadable();
  const names: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const result = await ask('tools/list', cursor === undefined ? {} : { cursor }, apiKey, agreed, signal);
    if (!isToolPage(result)) throw unreadable();
    names.push(...result.tools.map(({ name }) => name));
    cursor = result.nextCursor;
    if (cursor === undefined) break;
  }
  return names;
}

/** Sends one message and returns its result. Neither a session nor a cookie goes along: only the key counts. */
async function ask(
  method: string,
  params: object,
  apiKey: string,
  version: string,
  signal: AbortSignal,
): Promise<unknown> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(agentAddress(), {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        'MCP-Protocol-Version': version,
        'X-DreamFactory-API-Key': apiKey,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal,
      credentials: 'omit',
    });
    body = await response.json().catch(() => undefined);
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ApiError({ status: 0, code: 0, message: text('common:unreachable'), cause });
  }
  const isRefused = !response.ok || (typeof body === 'object' && body !== null && 'error' in body);
  if (isRefused) await loadServerWords();
  if (isRefused) throw errorFromResponse(response.status, body, response.headers.get('X-Request-Id'));
  return (body as { result?: unknown } | undefined)?.result;
}

const isToolPage = (value: unknown): value is ToolPage =>
  typeof value === 'object' && value !== null && 'tools' in value && Array.isArray(value.tools);

/** What answers there does not speak the protocol. */
const unreadable = () => new ApiError({ status: 502, code: 502, message: text('calls:agent.noProtocol') });
