// Definitions that mean harm, kept with a service: what is served of them is bounded, leads nowhere outside and changes nothing.
import { startPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Document } from './valid.fixture.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());

let id: number;
beforeAll(async () => {
  const config = { content: '' };
  ({ id } = await platform.create('service', { name: 'odd', label: 'Odd', type: 'v8js', is_active: true, config }));
});

/** The document of the service once it has this definition: YAML as a text, JSON else. */
async function documentOf(definition: string | object): Promise<{ status: number; body: Document; text: string }> {
  const isText = typeof definition === 'string';
  const doc = { format: isText ? 1 : 0, content: isText ? definition : JSON.stringify(definition) };
  const { status, text } = await platform.ask('PATCH', `system/service/${id}`, {
    body: { service_doc_by_service_id: doc },
  });
  if (status !== 200) throw new Error(text);
  return platform.ask('GET', 'api_docs/odd?openapi=3.1');
}

const answers = (schema: unknown) => ({
  responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
});
const whole = (paths: object, components: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'x', version: '1' },
  paths,
  components,
});

it('abuse: aliases that grow, and one that holds itself, are refused with a reason', async () => {
  const lines = Array.from({ length: 30 }, (_, index) =>
    index === 0 ? 'a0: &a0 [x, x]' : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`,
  );
  const circle = 'openapi: 3.0.3\npaths: &p\n  /a: &q\n    get: *q\n  /b: *p\n';
  for (const text of [`openapi: 3.0.3\npaths: {}\n${lines.join('\n')}\n`, circle]) {
    const { body, status } = await documentOf(text);
    expect(status).toBe(500);
    expect(body.error.message).toMatch(/^The definition of service 'odd' can not be read: ./);
  }
});

it('abuse: references in circles end, and those that lead outside are left out', async () => {
  const ref = ($ref: string) => ({ $ref });
  const outside = [
    'file:///etc/passwd',
    'http://169.254.169.254/',
    '//elsewhere.example/x',
    '#/info',
    '../../x',
    '#/components/schemas/a/../b',
  ];
  const { status, body, text } = await documentOf(
    whole(
      {
        '/a': {
          get: {
            parameters: [ref('#/components/parameters/p'), ...outside.map(ref)],
            ...answers(ref('#/components/schemas/a')),
          },
          post: answers({ anyOf: outside.map(ref) }),
        },
      },
      {
        parameters: { p: ref('#/components/parameters/q'), q: ref('#/components/parameters/p') },
        schemas: {
          a: ref('#/components/schemas/b'),
          b: ref('#/components/schemas/a'),
          me: ref('#/components/schemas/me'),
        },
      },
    ),
  );
  expect(status, text.slice(0, 300)).toBe(200);
  for (const place of ['etc/passwd', '169.254', 'elsewhere', '"#/info"', '../']) expect(text).not.toContain(place);
  const refs = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(refs.length).toBeGreaterThan(3);
  for (const [, section, name] of refs) expect(body.components[section!]).toHaveProperty([name!]);
});

it('abuse: names of prototypes are names', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const text = `{"openapi":"3.0.3","info":{"title":"x","version":"1"},"paths":{${names
    .map(
      (name) =>
        `"/${name}":{"get":${JSON.stringify(answers({ $ref: `#/components/schemas/${name}` }))},"__proto__":{"hit":1}}`,
    )
    .join(',')}},"components":{"schemas":{"constructor":{"type":"string"},"__proto__":{"hit":1}}}}`;
  const { status, body } = await documentOf(text);
  expect(status).toBe(200);
  expect(Object.keys(body.paths)).toEqual(names.map((name) => `/${name}`));
  expect(Object.keys(body.components.schemas).filter((name) => name !== 'Error')).toEqual(['constructor']);
  expect(({} as { hit?: number }).hit).toBe(undefined);
});

it('abuse: a huge enum is bounded for agents, and html stays text', async () => {
  const html = '<script>hit()</script><img src=x onerror=hit()>';
  const values = Array.from({ length: 20_000 }, (_, index) => `value ${index}`);
  const operation = {
    summary: html,
    description: html,
    parameters: [
      { name: 'of', in: 'query', description: html, schema: { type: 'string', enum: values } },
      ...values.slice(0, 200).map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    ],
    ...answers({ type: 'string', enum: values }),
  };
  const { status, body } = await documentOf(whole({ '/a': { get: operation } }));
  expect(status).toBe(200);
  expect(body.paths['/a'].get.summary).toBe(html);
  const { headers } = await platform.ask('GET', 'api_docs/odd?openapi=3.1');
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const accept = 'application/json, text/event-stream';
  const { body: agent } = await platform.ask('POST', '/mcp', { headers: { accept }, body: listing });
  const tool = agent.result.tools.find(({ name }: { name: string }) => name === 'get_a');
  expect(JSON.stringify(tool).length).toBeLessThan(20_000);
  expect(Object.keys(tool.inputSchema.properties).length).toBeLessThanOrEqual(61);
});
