// SOAP services against a real SOAP server (contract/services-other.md §3).
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bare,
  envelope,
  part,
  type SoapServer,
  startSoapServer,
  structure,
  wrapped,
  wsdlOf,
} from './soap-server.fixture.ts';

let platform: TestPlatform;
let server: SoapServer;

beforeAll(async () => {
  [platform, server] = await Promise.all([startPlatform(), startSoapServer()]);
  server.pages.set('/paged?wsdl', { body: wsdlOf(`${server.url}/paged`, wrapped) });
});
afterAll(async () => {
  await platform.stop();
  await server.stop();
});

let count = 0;
/** Makes a service; answers its name. */
async function make(config: object): Promise<string> {
  count += 1;
  const name = `soap${count}`;
  await platform.create('service', { name, label: name, type: 'soap', is_active: true, config });
  return name;
}
const made = new Map<string, Promise<string>>();
/** The service of one of the server's WSDLs. */
const of = (style: string): Promise<string> => {
  const name = made.get(style) ?? make({ wsdl: `${server.url}/${style}?wsdl` });
  made.set(style, name);
  return name;
};
const outcome = async (verb: string, path: string, options: object = {}) => {
  const { status, body } = await platform.ask(verb, path, options);
  return `${status} ${body?.error?.message ?? JSON.stringify(body)}`;
};

describe('operations', () => {
  it('are listed, and described with fields=*', async () => {
    const name = await of('wrapped');
    expect((await platform.ask('GET', name)).body).toEqual({
      resource: ['Add', 'Fail', 'Notify', 'Order', 'Values'].map((operation) => ({ name: operation })),
    });
    expect((await platform.ask('GET', `${name}?as_list=true`)).body.resource[0]).toBe('Add');
    expect((await platform.ask('GET', `${name}?as_access_list=true`)).body.resource).toEqual([
      '',
      '*',
      'Add',
      'Fail',
      'Notify',
      'Order',
      'Values',
    ]);
    const { resource } = (await platform.ask('GET', `${name}?fields=*`)).body;
    expect(resource[0]).toEqual({
      ...{ name: 'Add', description: null, requestType: 'Add', requestFields: { a: 'int', b: 'int' } },
      ...{ responseType: 'AddResponse', responseFields: { result: 'int' } },
      access: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    });
    expect(resource[3].requestFields).toEqual({ item: 'object[]', size: 'string' });
  });

  it.each(['Add', 'add', 'ADD'])('are called by a POST, in any letter case: %s', async (operation) => {
    expect(await outcome('POST', `${await of('wrapped')}/${operation}`, { body: { a: 2, b: 3 } })).toBe(
      '200 {"result":5}',
    );
  });

  it('are called by a GET, with the arguments in its query', async () => {
    expect(await outcome('GET', `${await of('wrapped')}/Add?a=2&b=40&other=1`)).toBe('200 {"result":42}');
    expect(server.last().body).not.toContain('other');
  });

  it.each([
    ['soap12', 'Add', { a: 1, b: 2 }, '{"result":3}'],
    ['rpc', 'multiply', { a: 6, b: 7 }, '42'],
    ['rpc', 'Divide', { a: 7, b: 2 }, '{"quotient":3,"rest":1}'],
    ['encoded', 'multiply', { a: 6, b: 7 }, '42'],
  ])('of a WSDL of the style %s: %s', async (style, operation, body, answer) => {
    expect(await outcome('POST', `${await of(style)}/${operation}`, { body })).toBe(`200 ${answer}`);
  });

  it('of which the WSDL says SOAP 1.2 are called by it', async () => {
    await platform.ask('POST', `${await of('soap12')}/Add`, { body: { a: 1, b: 2 } });
    expect(server.last().headers['content-type']).toBe('application/soap+xml; charset=utf-8; action="urn:test#Add"');
    expect(server.last().body).toContain('http://www.w3.org/2003/05/soap-envelope');
  });

  it('bare: the argument is a single value', async () => {
    server.pages.set('/bare?wsdl', { body: wsdlOf(`${server.url}/bare`, bare) });
    server.pages.set('/bare', { body: envelope('<tns:Greeting>Hello &lt;Ada&gt;</tns:Greeting>') });
    const name = await make({ wsdl: `${server.url}/bare?wsdl` });
    const { body } = await platform.ask('POST', `${name}/Greet`, {
      body: '"Ada"',
      headers: { 'content-type': 'application/json' },
    });
    expect(server.last().body).toContain('<Name xmlns="urn:test">Ada</Name>');
    expect(body).toBe('Hello <Ada>');
  });

  it('without an output answer an empty object', async () => {
    server.pages.set('/paged', { status: 202, body: '' });
    const name = await of('paged');
    expect(await outcome('POST', `${name}/Notify`, { body: { text: 'a' } })).toBe('200 {}');
  });

  it('that are not there are a 404 with their name', async () => {
    expect(await outcome('POST', `${await of('wrapped')}/Nothing`, { body: {} })).toBe(
      "404 Function 'Nothing' does not exist on this service.",
    );
    expect(await outcome('PUT', `${await of('wrapped')}/Add`, { body: {} })).toMatch(/^405 /);
  });

  it('that fail answer the fault', async () => {
    expect(await outcome('POST', `${await of('wrapped')}/Fail`, { body: { text: 'No <stock>' } })).toBe(
      '500 No <stock> [Fault code:SOAP-ENV:Server]',
    );
  });
});

describe('values', () => {
  it('are those of JSON; numbers keep their digits, dates stay as they are', async () => {
    const { body } = await platform.ask('POST', `${await of('wrapped')}/Values`, { body: {} });
    expect(body).toEqual({
      ...{ int: 5, long: '9007199254740993', decimal: 1.5, double: 1000, boolean: true, date: '2020-02-29+02:00' },
      ...{ dateTime: '2020-02-29T12:00:00+02:00', string: ' <b> & "c" ', base64Binary: 'AAEC' },
    });
  });

  it('lists of one stay lists; nulls, attributes and structures go and come', async () => {
    const item = { id: 'x1', sku: 'a & b', count: null, price: 1.5, tag: ['t'] };
    const { body } = await platform.ask('POST', `${await of('wrapped')}/Order`, { body: { size: 'S', item } });
    // The server of the library leaves out what is null.
    const { count: _none, ...answered } = item;
    expect(body.item).toEqual([answered]);
    expect(server.last().body).toContain('id="x1"');
    expect(server.last().body).toMatch(/count[^>]* xsi:nil="true"/);
    // In the order of the WSDL.
    expect(server.last().body.indexOf('size')).toBeGreaterThan(server.last().body.indexOf('item'));
  });

  it('that are nil, empty or have attributes beside a text', async () => {
    server.pages.set('/paged', {
      body: envelope(
        '<tns:ValuesResponse><tns:int xsi:nil="true"/><tns:string/><tns:decimal unit="EUR">1.10</tns:decimal><tns:double>INF</tns:double></tns:ValuesResponse>',
      ),
    });
    const name = await of('paged');
    expect((await platform.ask('POST', `${name}/Values`, { body: {} })).body).toEqual({
      ...{ int: null, string: '', decimal: { unit: 'EUR', _: 1.1 }, double: 'INF' },
    });
  });

  it('of a soapvar say their own type', async () => {
    const soapvar = { data: { sku: 's' }, type_name: 'Special', type_namespace: 'urn:test' };
    await platform.ask('POST', `${await of('wrapped')}/Order`, { body: { item: { soapvar } } });
    expect(server.last().body).toMatch(/item[^>]* xsi:type="(\w+):Special" xmlns:\1="urn:test"/);
    const typed = { a: { soapvar: { data: 5, encoding: 'XSD_INT' } }, b: { soapvar: { data: 2, encoding: 135 } } };
    await platform.ask('POST', `${await of('encoded')}/multiply`, { body: typed });
    expect(server.last().body).toContain('xsi:type="given:int"');
  });

  it('of SOAP encoding: lists, references, and values that say their type', async () => {
    server.pages.set('/multi?wsdl', {
      body: wsdlOf(`${server.url}/multi`, {
        ...{ style: 'rpc', use: 'encoded' },
        operations: { find: ['<part name="a" type="xs:string"/>', '<part name="found" type="xs:anyType"/>'] },
      }),
    });
    server.pages.set('/multi', {
      body: envelope(
        '<tns:findResponse><found xmlns:e="http://schemas.xmlsoap.org/soap/encoding/" e:arrayType="xsd:int[2]"><item xsi:type="xsd:int">1</item><item xsi:type="xsd:string">2</item></found></tns:findResponse>',
      ),
    });
    const name = await make({ wsdl: `${server.url}/multi?wsdl` });
    expect(await outcome('POST', `${name}/find`, { body: { a: null } })).toBe('200 {"resource":[1,"2"]}');
    expect(server.last().body).toContain('<a xsi:nil="true"></a>');
  });

  it('longer than a buffer of the parser come whole', async () => {
    const long = 'x'.repeat(200_000);
    server.pages.set('/paged', {
      body: envelope(
        `<tns:OrderResponse><tns:seen><![CDATA[<?xml version="1.0"?><a>]]>${long}</tns:seen></tns:OrderResponse>`,
      ),
    });
    const { body } = await platform.ask('POST', `${await of('paged')}/Order`, {
      body: {},
    });
    expect(body.seen).toBe(`<?xml version="1.0"?><a>${long}`);
  });
});

describe('without a WSDL', () => {
  it('any operation is called at the location, in the namespace of the options', async () => {
    const name = await make({ options: { location: `${server.url}/bare-hands`, uri: 'urn:hands' } });
    server.pages.set('/bare-hands', {
      body: envelope('<n:sumResponse xmlns:n="urn:hands"><return xsi:type="xsd:int">5</return></n:sumResponse>'),
    });
    expect(await outcome('POST', `${name}/sum`, { body: { a: 2, b: 'x<y' } })).toBe('200 {"return":5}');
    expect(server.last().headers.soapaction).toBe('"urn:hands#sum"');
    expect(server.last().body).toMatch(/<\w+:sum><a>2<\/a><b>x&lt;y<\/b><\/\w+:sum>/);
    expect((await platform.ask('GET', name)).body).toEqual({ resource: [] });
    expect(await outcome('POST', `${name}/a%20b`, { body: {} })).toMatch(/^404 Function 'a b'/);
  });
});

describe('the WSDL', () => {
  it('is read once, and again after its cache was flushed and the service changed', async () => {
    const name = await make({ wsdl: `${server.url}/wrapped?wsdl` });
    const before = server.reads();
    await Promise.all([1, 2, 3].map(() => platform.ask('GET', name)));
    await platform.ask('POST', `${name}/Add`, { body: { a: 1, b: 1 } });
    expect(server.reads() - before).toBe(1);
    await platform.ask('DELETE', `system/cache/${name}`);
    await platform.ask('GET', name);
    expect(server.reads() - before).toBe(2);
  });

  it('may import schemas, and those others, in circles', async () => {
    const types = `<xs:schema><xs:import namespace="urn:test" schemaLocation="../xsd/a.xsd"/></xs:schema>`;
    server.pages.set('/in/w?wsdl', {
      body: wsdlOf(`${server.url}/in/w`, { operations: { Add: [part('Add'), part('AddResponse')] }, types }),
    });
    const schema = (more: string) =>
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:test" targetNamespace="urn:test" elementFormDefault="qualified">${more}</xs:schema>`;
    const number = (name: string) => `<xs:element name="${name}" type="xs:int"/>`;
    server.pages.set('/xsd/a.xsd', {
      body: schema(`<xs:include schemaLocation="b.xsd"/>${structure('Add', number('a'), number('b'))}`),
    });
    server.pages.set('/xsd/b.xsd', {
      body: schema(`<xs:include schemaLocation="a.xsd"/>${structure('AddResponse', number('result'))}`),
    });
    server.pages.set('/in/w', { body: envelope('<tns:AddResponse><tns:result>7</tns:result></tns:AddResponse>') });
    expect(
      await outcome('POST', `${await make({ wsdl: `${server.url}/in/w?wsdl` })}/add`, { body: { a: 1, b: 2 } }),
    ).toBe('200 {"result":7}');
  });

  it('may be a file of the folder wsdl', async () => {
    const folder = join(platform.folder, 'wsdl');
    await mkdir(folder);
    await writeFile(join(folder, 'calc.wsdl'), wsdlOf(`${server.url}/wrapped`, wrapped));
    await writeFile(join(platform.folder, 'outside.wsdl'), wsdlOf(`${server.url}/wrapped`, wrapped));
    await symlink(join(platform.folder, 'outside.wsdl'), join(folder, 'linked.wsdl'));
    expect(await outcome('POST', `${await make({ wsdl: 'calc.wsdl' })}/add`, { body: { a: 1, b: 2 } })).toBe(
      '200 {"result":3}',
    );
    for (const wsdl of ['linked.wsdl', 'nothing.wsdl'])
      expect(await outcome('GET', await make({ wsdl }))).toMatch(
        /^500 Unexpected SOAP Service Exception:\nthere is no file/,
      );
  });

  it.each([
    '../outside.wsdl',
    '/etc/passwd',
    'a/b.wsdl',
    'file:///etc/passwd',
    'ftp://a/b',
    'http://u:p@a/b',
    '..',
    '',
  ])('abuse: %j is none', async (wsdl) => {
    const { status } = await platform.ask('POST', 'system/service', {
      body: { resource: [{ name: 'bad', label: 'bad', type: 'soap', config: { wsdl } }] },
    });
    expect(status).toBe(400);
  });

  it('is tried by the test of a configuration', async () => {
    const test = (config: object) => outcome('POST', 'system/service/_test', { body: { type: 'soap', config } });
    expect(await test({ wsdl: `${server.url}/wrapped?wsdl` })).toMatch(/^200 /);
    expect(await test({ options: { location: `${server.url}/wrapped`, uri: 'urn:a' } })).toMatch(/^200 /);
    expect(await test({ wsdl: `${server.url}/nothing` })).not.toContain('"success":true');
  });
});

describe('what goes along', () => {
  it('login, user agent, and headers of both types with lookup keys', async () => {
    await platform.create('lookup', { name: 'soap_secret', value: 'hunter<22>', private: true });
    const name = await make({
      wsdl: `${server.url}/wrapped?wsdl`,
      options: { login: 'ada', password: 'p', user_agent: 'Test', trace: '1' },
      headers: [
        {
          type: 'generic',
          namespace: 'urn:h',
          name: 'Auth',
          data: '{"key":"{soap_secret}","n":[1,2]}',
          mustunderstand: true,
        },
        { type: 'wsse', data: '{"username":"u","password":"{soap_secret}"}' },
      ],
    });
    expect(await outcome('POST', `${name}/Add`, { body: { a: 1, b: 1 } })).toBe('200 {"result":2}');
    const { headers, body } = server.last();
    expect([headers.authorization, headers['user-agent'], headers['cdn-loop']]).toEqual([
      'Basic YWRhOnA=',
      'Test',
      'sluice',
    ]);
    expect(body).toContain(
      '<Auth xmlns="urn:h" soap:mustUnderstand="1"><key>hunter&lt;22&gt;</key><n>1</n><n>2</n></Auth>',
    );
    expect(body).toContain('<wsse:Username>u</wsse:Username>');
    // Masked where a fault repeats it.
    expect(await outcome('POST', `${name}/Fail`, { body: { text: 'no: hunter<22>' } })).toBe(
      '500 no: ********** [Fault code:SOAP-ENV:Server]',
    );
  });

  it('neither key nor token of the caller', async () => {
    await platform.ask('POST', `${await of('rpc')}/multiply?api_key=${'a'.repeat(64)}`, {
      body: { a: 1, b: 1, session_token: 's' },
    });
    expect(server.last().body).not.toMatch(/session_token|api_key/);
  });
});

it('answers of GET calls are kept where the service says so', async () => {
  const name = await make({ wsdl: `${server.url}/wrapped?wsdl`, cache_enabled: true, cache_ttl: 5 });
  await platform.ask('GET', `${name}/Add?a=1&b=2`);
  const before = server.calls();
  expect(await outcome('GET', `${name}/ADD?a=1&b=2`)).toBe('200 {"result":3}');
  expect(server.calls()).toBe(before);
  await platform.ask('GET', `${name}/Add?a=1&b=3`);
  await platform.ask('POST', `${name}/Add`, { body: { a: 1, b: 2 } });
  expect(server.calls()).toBe(before + 2);
});

describe('roles, docs and events', () => {
  it('a role names an operation, in any letter case', async () => {
    const service = await of('wrapped');
    const id = (await platform.ask('GET', `system/service?filter=name=${service}&fields=id`)).body.resource[0].id;
    const role = await platform.create('role', {
      ...{ name: 'adder', is_active: true },
      role_service_access_by_role_id: [{ service_id: id, component: 'add', verb_mask: 3, requestor_mask: 1 }],
    });
    const app = await platform.create('app', { name: 'adder', is_active: true, role_id: role.id });
    const { api_key } = (await platform.ask('GET', `system/app/${app.id}`)).body;
    const asKey = { token: '', headers: { 'X-DreamFactory-API-Key': api_key } };
    expect(await outcome('POST', `${service}/ADD`, { body: { a: 1, b: 2 }, ...asKey })).toBe('200 {"result":3}');
    expect(await outcome('POST', `${service}/Fail`, { body: {}, ...asKey })).toMatch(/^40[13] /);
    const { body: docs } = await platform.ask('GET', `api_docs/${service}`, asKey);
    expect(Object.keys(docs.paths)).toEqual(['/{operation}', '/Add']);
  });

  it('documents have the arguments and the answer of each operation', async () => {
    const { paths } = (await platform.ask('GET', `api_docs/${await of('wrapped')}`)).body;
    const { post, get } = paths['/Order'];
    const item = {
      type: 'object',
      properties: {
        ...{ sku: { type: 'string' }, count: { type: 'integer' }, price: { description: 'decimal' } },
        ...{ tag: { type: 'array', items: { type: 'string' } }, id: { type: 'string' } },
      },
    };
    expect(post.requestBody.content['application/json'].schema).toEqual({
      type: 'object',
      properties: { item: { type: 'array', items: item }, size: { type: 'string', enum: ['S', 'M'] } },
    });
    expect(post.responses['200'].content['application/json'].schema.properties.item).toEqual({
      type: 'array',
      items: item,
    });
    expect(get.parameters.map(({ name }: { name: string }) => name)).toEqual(['size']);
  });

  it('scripts run around an operation, by its name', async () => {
    const service = await of('wrapped');
    const { body: events } = await platform.ask('GET', `system/event?service=${service}`);
    expect(events[service][`${service}.{operation}`].parameter).toEqual({
      operation: ['Add', 'Fail', 'Notify', 'Order', 'Values'],
    });
    await platform.ask('POST', `system/event_script/${service}.add.post.pre_process`, {
      body: {
        type: 'v8js',
        is_active: true,
        allow_event_modification: true,
        content: 'event.request.payload.b = 100;',
      },
    });
    expect(await outcome('POST', `${service}/Add`, { body: { a: 1, b: 2 } })).toBe('200 {"result":101}');
    await platform.ask('DELETE', `system/event_script/${service}.add.post.pre_process`);
  });
});
