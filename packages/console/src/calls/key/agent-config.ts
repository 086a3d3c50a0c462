// What the common agents take to find this instance, to be pasted. Pure.
import { keyHeader } from '../code/call.ts';

export interface AgentConnection {
  /** Of the Model Context Protocol. */
  address: string;
  apiKey: string;
}

interface AgentClient {
  id: string;
  label: string;
  /** Where the text goes: a file, or null for a terminal. */
  file: string | null;
  write: (connection: AgentConnection) => string;
}

/** What the instance is called in a configuration. */
const serverName = 'sluice';

const toText = (value: unknown) => JSON.stringify(value, null, 2);
const headersOf = (apiKey: string) => ({ [keyHeader]: apiKey });

/** In the order they are offered; the last one is what most others take. */
export const agentClients = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    file: null,
    // In double quotes, as every shell takes them; neither an address nor a key has a character that means something there.
    write: ({ address, apiKey }) =>
      `claude mcp add --transport http ${serverName} "${address}" --header "${keyHeader}: ${apiKey}"`,
  },
  {
    id: 'cursor',
    label: 'Cursor',
    file: '~/.cursor/mcp.json',
    write: ({ address, apiKey }) =>
      toText({ mcpServers: { [serverName]: { url: address, headers: headersOf(apiKey) } } }),
  },
  {
    id: 'vscode',
    label: 'VS Code',
    file: '.vscode/mcp.json',
    write: ({ address, apiKey }) =>
      toText({ servers: { [serverName]: { type: 'http', url: address, headers: headersOf(apiKey) } } }),
  },
  {
    id: 'json',
    label: 'JSON',
    file: 'mcp.json',
    write: ({ address, apiKey }) =>
      toText({ mcpServers: { [serverName]: { type: 'http', url: address, headers: headersOf(apiKey) } } }),
  },
] as const satisfies readonly AgentClient[];

export type AgentClientId = (typeof agentClients)[number]['id'];
