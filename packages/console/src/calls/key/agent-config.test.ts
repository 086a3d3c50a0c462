import { expect, it } from 'vitest';
import { agentClients } from './agent-config.ts';

const connection = { address: 'https://api.example.com/mcp', apiKey: 'K1' };
const headers = { 'X-DreamFactory-API-Key': 'K1' };
const { address: url } = connection;

it.each([
  ['cursor', { mcpServers: { sluice: { url, headers } } }],
  ['vscode', { servers: { sluice: { type: 'http', url, headers } } }],
  ['json', { mcpServers: { sluice: { type: 'http', url, headers } } }],
])('the configuration for %s is JSON of the form it takes', (name, config) => {
  const client = agentClients.find(({ id }) => id === name);
  expect(JSON.parse(client?.write(connection) ?? '')).toEqual(config);
});

it('the command for a terminal is one line', () => {
  expect(agentClients[0].write(connection)).toBe(
    'claude mcp add --transport http sluice "https://api.example.com/mcp" --header "X-DreamFactory-API-Key: K1"',
  );
});
