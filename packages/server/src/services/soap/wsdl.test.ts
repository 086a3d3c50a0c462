// WSDLs that mean harm, or are broken: what reads them, without a service around it.
import { Failure } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOutside } from '../engines/outside.ts';
import { type Remote, startRemote } from '../engines/remote.fixture.ts';
import { readOptions } from './options.ts';
import { createProgram, type Program } from './program.ts';
import { part, structure, wrapped, wsdlOf } from './soap-server.fixture.ts';
import { readWsdl } from './wsdl.ts';

let remote: Remote;
let program: Program;
const pages = new Map<string, { body: string; headers?: Record<string, string> }>();

beforeAll(async () => {
  program = createProgram(() => {});
  remote = await startRemote((request, response) => {
    const page = pages.get(request.url ?? '');
    if (request.url === '/silent') return;
    if (request.url === '/endless') {
      const more = () => {
        if (!response.destroyed && response.write('<!-- -->'.repeat(8 * 1024))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    } else if (page)
      response.writeHead(page.headers ? 302 : 200, { 'Content-Type': 'text/xml', ...page.headers }).end(page.body);
    else {
      // Each imports another one.
      const next = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0) + 1;
      response.end(next === 1 ? importing('1') : `<schema><include schemaLocation="${next}"/></schema>`);
    }
  });
});
afterAll(() => Promise.all([program.close(), remote.stop()]));

/** What becomes of the reading, and of the list of operations. */
async function outcome(path: string, options: Record<string, string> = {}, by = program): Promise<string> {
  const address = new URL(path, remote.url);
  const send = createOutside([]).to(address);
  try {
    const read = { place: { address }, options: readOptions(options), send, dataFolder: '/nowhere', program: by };
    const { documents, address: wsdl } = await readWsdl(read);
    const operations = await by.list({
      key: String(documents.size + Math.random()),
      definition: { wsdl, documents },
    });
    return operations.map(({ name }) => name).join(',');
  } catch (error) {
    return error instanceof Failure ? `${error.status} ${error.message}` : `problem: ${(error as Error).message}`;
  }
}
async function withText(body: string, headers?: Record<string, string>, by = program): Promise<string> {
  pages.set('/page', { body, ...(headers ? { headers } : {}) });
  return outcome('/page', {}, by);
}
const importing = (location: string) =>
  wsdlOf('http://a.example/', {
    operations: { Add: [part('Add')] },
    types: `<xs:schema><xs:import namespace="urn:test" schemaLocation="${location}"/></xs:schema>`,
  });

it.each<[string, () => string, RegExp]>([
  ['HTML', () => '<!DOCTYPE html><html><p>Sign in<br></html>', /document types are not accepted/],
  ['HTML without a type', () => '<html><body/></html>', /is no WSDL, but begins with "html"/],
  ['JSON', () => '{"a":1}', /cannot be read/],
  ['nothing', () => '', /cannot be read/],
  [
    'no services',
    () => '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>',
    /names no service that is called by SOAP/,
  ],
  [
    'entities that grow',
    () => '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><definitions>&b;</definitions>',
    /document types are not accepted/,
  ],
  [
    'an entity of a file',
    () => '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><definitions>&x;</definitions>',
    /document types/,
  ],
  ['an entity without a type', () => '<definitions a="&x;"/>', /& begins no character/],
  ['depth', () => `<definitions>${'<a>'.repeat(100_000)}`, /cannot be read/],
  [
    'an import of a file',
    () => importing('file:///etc/passwd'),
    /imports "file:\/\/\/etc\/passwd", which is no address of the web/,
  ],
  ['an import of gopher', () => importing('gopher://127.0.0.1:70/_x'), /which is no address of the web/],
  [
    'a name of all objects',
    () => wsdlOf('http://a/', wrapped).replaceAll('"Add"', '"__proto__"'),
    /uses the name "__proto__"/,
  ],
  [
    'a namespace of all objects',
    () => wsdlOf('http://a/', wrapped).replaceAll('"urn:test"', '"__proto__"'),
    /uses the name "__proto__"/,
  ],
])('abuse: %s is refused with what is wrong', async (_what, text, message) => {
  expect(await withText(text())).toMatch(message);
});

it.each(['http://169.254.169.254/latest/', 'http://[::1]:80/', 'http://127.0.0.2:1/'])(
  'abuse: an import of %s, and a redirect there, lead nowhere',
  async (address) => {
    const refused = '503 The remote service is not available: it leads to an address that this server does not call.';
    expect(await withText(importing(address))).toBe(refused);
    expect(await withText('', { Location: address })).toBe(refused);
  },
);

it('abuse: imports without end end, and so does a text', async () => {
  expect(await outcome('/chain')).toMatch(/^500 Unexpected SOAP Service Exception:\nit imports more than 60 documents/);
  expect(await outcome('/endless')).toMatch(/^500 .*\n.*more than 4194304 bytes/);
});

it('abuse: groups that hold each other twice over take the time of their thread alone, which is bounded', {
  timeout: 40_000,
}, async () => {
  const groups = Array.from(
    { length: 40 },
    (_, index) =>
      `<xs:group name="g${index}"><xs:sequence><xs:group ref="tns:g${index + 1}"/><xs:group ref="tns:g${index + 1}"/></xs:sequence></xs:group>`,
  );
  const last = '<xs:group name="g40"><xs:sequence><xs:element name="e" type="xs:int"/></xs:sequence></xs:group>';
  const schema = `${groups.join('')}${last}${structure('Add', '<xs:group ref="tns:g0"/>')}`;
  const hasty = createProgram(() => {}, 2_000);
  const wsdl = wsdlOf('http://a.example/', { schema, operations: { Add: [part('Add')] } });
  expect(await withText(wsdl, undefined, hasty)).toBe('problem: it takes too much time or memory');
  await hasty.close();
  expect(await withText(wsdlOf('http://a.example/', wrapped))).toBe('Add,Order,Values,Fail,Notify');
});

it('a server that is away is a 503, a silent one a 504', async () => {
  expect(await outcome('http://127.0.0.1:1/')).toBe(
    '503 The remote service is not available: the connection was refused.',
  );
  expect(await outcome('/silent', { timeout: '0.2' })).toMatch(/^504 /);
});
