// The SDK of the protocol is loaded with the first message of an agent, and not before.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProcess } from '../process.fixture.ts';

/** Reports each module of the SDK that a process resolves. */
const hook = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  import { writeSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    if (specifier.includes('modelcontextprotocol')) writeSync(2, 'loads ' + specifier);
    return next(specifier, context);
  }\`));`;

it('loads nothing of it at the start', async () => {
  const data = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  const server = await startProcess({
    ...{ SLUICE_DATA: data, SLUICE_ADMIN_EMAIL: 'ada@example.com', SLUICE_ADMIN_PASSWORD: 'correct horse' },
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
  });
  const ping = () =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('ada@example.com:correct horse').toString('base64')}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  try {
    await server.ask('GET', 'system/environment');
    expect(server.output()).not.toContain('loads @modelcontextprotocol');
    expect(await (await ping()).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(server.output()).toContain('loads @modelcontextprotocol/sdk');
  } finally {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  }
});
