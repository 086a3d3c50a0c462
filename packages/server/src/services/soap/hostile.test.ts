// SOAP servers and callers that mean harm, or are broken.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Remote, startRemote } from '../engines/remote.fixture.ts';
import { envelope, type SoapServer, startSoapServer, wrapped, wsdlOf } from './soap-server.fixture.ts';

let platform: TestPlatform;
let server: SoapServer;
let remote: Remote;

beforeAll(async () => {
  [platform, server, remote] = await Promise.all([
    startPlatform(),
    startSoapServer(),
    startRemote((request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(200, { 'Content-Type': 'text/xml' });
      const more = () => {
        if (!response.destroyed && response.write('<!-- -->'.repeat(8 * 1024))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    }),
  ]);
});
afterAll(async () => {
  await platform.stop();
  await Promise.all([server.stop(), remote.stop()]);
});

let count = 0;
async function make(config: object): Promise<string> {
  count += 1;
  const name = `soap${count}`;
  await platform.create('service', { name, label: name, type: 'soap', is_active: true, config });
  return name;
}
const outcome = async (verb: string, path: string, options: object = {}) => {
  const { status, body } = await platform.ask(verb, path, options);
  return `${status} ${body?.error?.message ?? JSON.stringify(body)}`;
};

it('abuse: the calls of a WSDL that leads to another host do not go to private networks', async () => {
  server.pages.set('/other?wsdl', { body: wsdlOf('http://127.0.0.3:1/x', wrapped) });
  const name = await make({ wsdl: `${server.url}/other?wsdl` });
  expect(await outcome('POST', `${name}/Add`, { body: {} })).toBe(
    '503 The remote service is not available: it leads to an address that this server does not call.',
  );
});

describe('answers', () => {
  let name: string;
  beforeAll(async () => {
    server.pages.set('/answers?wsdl', { body: wsdlOf(`${server.url}/answers`, wrapped) });
    name = await make({ wsdl: `${server.url}/answers?wsdl` });
  });
  /** What a call comes to that is answered so. */
  async function answered(body: string | Buffer, more: object = {}): Promise<string> {
    server.pages.set('/answers', { body, ...more });
    return outcome('POST', `${name}/Add`, { body: { a: 1, b: 2 } });
  }

  it.each<[string, string | Buffer, object?]>([
    ['HTML', '<html><body>Hello</body></html>', { type: 'text/html' }],
    ['HTML that is no XML', '<!doctype html><p>Hello<br>', { type: 'text/html' }],
    ['JSON', '{"result":3}', { type: 'application/json' }],
    ['nothing', ''],
    ['no letters', Buffer.from([0xff, 0xfe, 0xff, 0x00, 0xd8])],
    ['an envelope of something else', '<Envelope xmlns="urn:x"><Body/></Envelope>'],
    ['an empty body', envelope('')],
    ['another element', envelope('<tns:Other/>')],
    ['half of it', envelope('<tns:AddResponse><tns:result>3').slice(0, -40)],
    [
      'entities',
      `<!DOCTYPE a [<!ENTITY a "b">]>${envelope('<tns:AddResponse><tns:result>&a;</tns:result></tns:AddResponse>')}`,
    ],
    ['names of all objects', envelope('<tns:AddResponse><__proto__><a>1</a></__proto__></tns:AddResponse>')],
    [
      'ids of all objects',
      envelope('<tns:AddResponse id="__proto__"><tns:result href="#__proto__"/></tns:AddResponse>'),
    ],
    ['a constructor', envelope('<tns:AddResponse><constructor>1</constructor></tns:AddResponse>')],
    ['depth', envelope('<a>'.repeat(50_000))],
    ['a redirect', '', { status: 302, headers: { Location: 'http://169.254.169.254/' } }],
    ['a 401', '<html/>', { status: 401 }],
    ['a 500 that is no fault', 'out of order', { status: 500 }],
    [
      'a failure that says it is none',
      envelope('<tns:AddResponse><tns:result>3</tns:result></tns:AddResponse>'),
      { status: 500 },
    ],
  ])('abuse: %s is a 502', async (_what, body, more) => {
    expect(await answered(body, more)).toMatch(/^502 The SOAP server sent an answer that cannot be read: /);
  });

  it('abuse: references that multiply, or lead to themselves, are a 502', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, index) => `<m${index} id="i${index}"><a href="#i${index + 1}"/><b href="#i${index + 1}"/></m${index}>`,
    );
    expect(
      await answered(
        envelope(`<tns:AddResponse><x href="#i0"/>${levels.join('')}<m30 id="i30"><v>1</v></m30></tns:AddResponse>`),
      ),
    ).toMatch(/^502 /);
    expect(await answered(envelope('<tns:AddResponse id="a"><x href="#a"/></tns:AddResponse>'))).toMatch(/^(502|200) /);
  });

  it('abuse: one without end is read to its bound, one that is late is a 504', async () => {
    const to = (path: string) =>
      make({ wsdl: `${server.url}/answers?wsdl`, options: { location: remote.url + path, timeout: '1' } });
    expect(await outcome('POST', `${await to('/endless')}/Add`, { body: {} })).toMatch(/^50[24] /);
    expect(await outcome('POST', `${await to('/silent')}/Add`, { body: {} })).toMatch(/^504 /);
  });

  it('abuse: a fault has words of a bounded length', async () => {
    const fault = `<soap:Fault><faultcode>a</faultcode><faultstring>${'x'.repeat(100_000)}</faultstring></soap:Fault>`;
    expect((await answered(envelope(fault), { status: 500 })).length).toBeLessThan(5_000);
  });

  it('faults of SOAP 1.2 are understood', async () => {
    const fault =
      '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">No</soap:Text></soap:Reason></soap:Fault>';
    expect(await answered(envelope(fault), { status: 400 })).toBe('500 No [Fault code:soap:Sender]');
  });
});

describe('callers', () => {
  let name: string;
  beforeAll(async () => {
    name = await make({ wsdl: `${server.url}/wrapped?wsdl` });
  });

  it.each<[string, unknown]>([
    ['a name with XML', { 'a><evil/><a': 1 }],
    ['a name with an attribute', { 'a x="1"': 1 }],
    ['the XML of the library', { _xml: '<evil/>' }],
    ['the XML of the library below', { a: { $xml: '<evil/>' } }],
    ['attributes of the library', { a: { $attributes: { 'x="1"><evil/><a y': '1' } } }],
    ['an attribute with XML in its name', { a: { '@x="1"><evil/><a y': '1', _: '1' } }],
    ['a type with XML', { a: { soapvar: { data: 1, type_name: 'a"><evil/>' } } }],
    ['a namespace with XML', { a: { soapvar: { data: 1, type_name: 'a', type_namespace: 'x"><evil/>' } } }],
    ['an element named with XML', { a: { soapvar: { data: 1, node_name: 'a><evil/>' } } }],
    ['XML of its own', { a: { soapvar: { data: '<evil/>', encoding: 147 } } }],
    ['a character that XML cannot have', { a: 'x\u0000' }],
    ['lists in lists', { a: [[1]] }],
  ])('abuse: %s is a 400', async (_what, body) => {
    const before = server.calls();
    expect(await outcome('POST', `${name}/Add`, { body })).toMatch(/^400 The arguments cannot be sent: /);
    expect(server.calls()).toBe(before);
  });

  it.each(['</a><evil/>', '<![CDATA[x]]><evil/><![CDATA[]]>', '&evil;', '"\'><evil x="'])(
    'abuse: the text %s is a text',
    async (text) => {
      await platform.ask('POST', `${name}/Fail`, { body: { text } });
      expect(server.last().body).not.toContain('<evil');
      expect(server.last().body).toMatch(/<text>[^<]+<\/text>/);
      await platform.ask('POST', `${name}/Order`, {
        body: { item: { '@id': text.replace('<![CDATA[', ''), sku: text } },
      });
      expect(server.last().body).not.toContain('<evil');
    },
  );

  it('abuse: names of methods of the library are no operations', async () => {
    for (const operation of ['setEndpoint', 'describe', 'constructor', '__proto__', 'AddAsync', 'wsdl'])
      expect(await outcome('POST', `${name}/${operation}`, { body: {} })).toMatch(/^404 Function/);
  });
});

it('abuse: a service that leads to this instance does not go round without end', async () => {
  const name = `soap${count + 1}`;
  server.pages.set('/round?wsdl', { body: wsdlOf(`${platform.url}/api/v2/${name}/Add`, wrapped) });
  await make({
    wsdl: `${server.url}/round?wsdl`,
    options: { location: `${platform.url}/api/v2/${name}/Add?session_token=${platform.adminToken}` },
  });
  expect(await outcome('POST', `${name}/Add`, { body: {} })).toMatch(/^50[28] /);
});
