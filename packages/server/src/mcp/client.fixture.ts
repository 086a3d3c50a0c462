// The official client, as agents have it, over real HTTP.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { AskOptions, TestPlatform } from '@sluice/testkit';

/** The headers that a caller of `ask` sends. */
export const headersOf = ({ key, token, headers }: AskOptions, adminToken: string): Record<string, string> => ({
  ...(key ? { 'X-DreamFactory-API-Key': key } : {}),
  ...(token === null ? {} : { 'X-DreamFactory-Session-Token': token ?? adminToken }),
  ...headers,
});

export async function connectAgent(platform: TestPlatform, caller: AskOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${platform.url}/mcp`), {
    requestInit: { headers: headersOf(caller, platform.adminToken) },
  });
  await client.connect(transport as never);
  return client;
}

export type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** The tools of all pages. */
export async function allTools(client: Client): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools({ ...(cursor === undefined ? {} : { cursor }) });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

/** What a tool answered: its text, and whether it is an error. */
export async function useTool(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [{ text }] = content as [{ text: string }];
  return { text, isError: isError === true };
}
