// An agent can do what its caller may do, no more and no less: each of its tools is called for each service that it names, and with
// tools that others have, each operation that the document of the caller leaves out.
import { afterAll, describe, expect, it } from 'vitest';
import { type Made, operationsOf, startAccessInstance } from '../openapi/access.fixture.ts';
import { allTools, connectAgent, type ListedTool, useTool } from './client.fixture.ts';

const { platform, callers } = await startAccessInstance();
afterAll(() => platform.stop());

type Schema = { type?: string; enum?: string[]; examples?: string[] };

/** Arguments for each service and each value that a tool lists; a record that is not there stands for any. */
function casesOf({ name: tool, inputSchema }: ListedTool): Record<string, unknown>[] {
  const properties = (inputSchema.properties ?? {}) as Record<string, Schema>;
  const required = inputSchema.required ?? [];
  let cases: Record<string, unknown>[] = [{}];
  for (const name of required) {
    const { type, enum: listed, examples } = properties[name] as Schema;
    // Tables stay, for the caller after this one.
    const isDropped = tool.startsWith('delete_schema') && name === 'table_name';
    const values = isDropped
      ? ['4711']
      : name === 'body'
        ? [type === 'string' ? 'text' : {}]
        : (listed ?? examples ?? ['4711']);
    cases = cases.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }
  return cases;
}

const isRefused = (text: string): boolean => {
  const { error } = JSON.parse(text);
  return [401, 403].includes(error.status_code) || /No (session token|API Key)/.test(error.message);
};

/** The tool that makes the address of an operation, and its arguments. */
function toolFor(tools: ListedTool[], { line, address }: Made) {
  const [verb] = line.split(' ');
  const [service = '', ...parts] = address.split('/');
  if (parts.length === 0) parts.push('');
  for (const { name, description = '', inputSchema } of tools) {
    const properties = (inputSchema.properties ?? {}) as Record<string, Schema>;
    const [, toolVerb, template = ''] = /\((\w+) \{service\}\/(.*)\)$/.exec(description) ?? [];
    const pattern = template.split('/');
    if (toolVerb !== verb || pattern.length !== parts.length || !properties.service?.enum?.includes(service)) continue;
    const args: Record<string, unknown> = { service };
    const fits = pattern.every((part, index) => {
      const placeholder = /^\{(.*)\}$/.exec(part)?.[1];
      const text = decodeURIComponent(parts[index] ?? '');
      if (placeholder !== undefined) args[placeholder] = text;
      return placeholder === undefined ? part === text : text !== '';
    });
    if (inputSchema.required?.includes('body')) args.body = properties.body?.type === 'string' ? 'text' : {};
    if (fits) return { name, args };
  }
  return undefined;
}

describe.each(['narrow, a person', 'narrow, a key alone', 'wide, a person', 'wide, a key alone'])('%s', (name) => {
  it('is not refused by any tool of any service', async () => {
    const caller = await callers[name]!();
    const client = await connectAgent(platform, caller);
    const tools = await allTools(client);
    const refused: string[] = [];
    let count = 0;
    for (const tool of tools)
      for (const args of casesOf(tool)) {
        // A table and what else may stand go together: a listed one of one table may be closed in another.
        const { text, isError } = await useTool(client, tool.name, args);
        count += 1;
        if (isError && isRefused(text)) refused.push(`${tool.name} ${JSON.stringify(args)}: ${text}`);
      }
    expect(refused).toEqual([]);
    expect(count).toBeGreaterThan(name.startsWith('wide') ? 60 : 5);
    expect(tools.every((tool) => /^[a-z0-9_]{1,40}$/.test(tool.name))).toBe(true);
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
    await client.close();
  });

  it('does nothing that their document leaves out, with a tool of anybody', async () => {
    const caller = await callers[name]!();
    const documentOf = async (options: object) =>
      operationsOf((await platform.ask('GET', 'api_docs?openapi=3.1', options)).body);
    const own = new Set((await documentOf(caller)).map(({ line }) => line));
    const administrator = await connectAgent(platform);
    const tools = await allTools(administrator);
    const client = await connectAgent(platform, caller);
    const done: string[] = [];
    let count = 0;
    for (const made of await documentOf({})) {
      if (own.has(made.line)) continue;
      const use = toolFor(tools, made);
      if (!use) continue;
      count += 1;
      const { text, isError } = await useTool(client, use.name, use.args);
      if (!isError || !(isRefused(text) || /"status_code":404/.test(text)))
        done.push(`${made.line}: ${text.slice(0, 200)}`);
    }
    expect(done).toEqual([]);
    expect(count).toBeGreaterThan(name.startsWith('wide') ? 5 : 50);
    await Promise.all([client.close(), administrator.close()]);
  });
});

it('has no tool for the services that are the instance itself, and calls none of them', async () => {
  const client = await connectAgent(platform);
  const tools = await allTools(client);
  for (const service of ['system', 'user', 'api_docs', 'System']) {
    expect(JSON.stringify(tools)).not.toContain(`"${service}"`);
    for (const { name } of tools.filter((tool) => tool.name.startsWith('get_'))) {
      const { text, isError } = await useTool(client, name, { service, table_name: 'user', id: '1', file_path: 'x' });
      expect(isError).toBe(true);
      expect(JSON.parse(text).error.status_code, text).toBe(404);
    }
  }
  await client.close();
});
