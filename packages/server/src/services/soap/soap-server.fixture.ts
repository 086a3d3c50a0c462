// A real SOAP server for tests: the library's own, over HTTP, with a service in each style of WSDL.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from 'soap';

const names = `xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
 xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:tns="urn:test" targetNamespace="urn:test"`;

interface Made {
  /** The content of the schema. */
  schema?: string;
  /** Of each operation: attributes of the parts of its messages, its input before its output; without output it answers nothing. */
  operations: Record<string, [input: string, output?: string]>;
  style?: 'document' | 'rpc';
  use?: 'literal' | 'encoded';
  binding?: 'soap' | 'soap12';
  /** In place of the types. */
  types?: string;
}

/** The text of a WSDL whose operations are called at an address. */
export function wsdlOf(address: string, made: Made): string {
  const { schema = '', operations, style = 'document', use = 'literal', binding = 'soap', types } = made;
  const list = Object.entries(operations);
  const messages = list.flatMap(([name, [input, output]]) => [
    `<message name="${name}In">${input}</message>`,
    output === undefined ? '' : `<message name="${name}Out">${output}</message>`,
  ]);
  const body = `<${binding}:body use="${use}" namespace="urn:test"/>`;
  const portType = list.map(
    ([name, [, output]]) =>
      `<operation name="${name}"><input message="tns:${name}In"/>${output === undefined ? '' : `<output message="tns:${name}Out"/>`}</operation>`,
  );
  const bound = list.map(
    ([name, [, output]]) =>
      `<operation name="${name}"><${binding}:operation soapAction="urn:test#${name}"/><input>${body}</input>${output === undefined ? '' : `<output>${body}</output>`}</operation>`,
  );
  return `<?xml version="1.0"?><definitions name="Test" ${names}>
<types>${types ?? `<xs:schema targetNamespace="urn:test" elementFormDefault="qualified">${schema}</xs:schema>`}</types>
${messages.join('')}
<portType name="Calls">${portType.join('')}</portType>
<binding name="Bound" type="tns:Calls"><${binding}:binding style="${style}" transport="http://schemas.xmlsoap.org/soap/http"/>${bound.join('')}</binding>
<service name="Test"><port name="Port" binding="tns:Bound"><${binding}:address location="${address}"/></port></service>
</definitions>`;
}

/** An element of a sequence. */
const element = (name: string, type: string, more = '') => `<xs:element name="${name}" type="${type}" ${more}/>`;
export const structure = (name: string, ...elements: string[]) =>
  `<xs:element name="${name}"><xs:complexType><xs:sequence>${elements.join('')}</xs:sequence></xs:complexType></xs:element>`;
export const part = (of: string) => `<part name="parameters" element="tns:${of}"/>`;

/** Wrapped document/literal: values of many types, lists, structures, attributes. */
export const wrapped: Made = {
  schema: [
    structure('Add', element('a', 'xs:int'), element('b', 'xs:int')),
    structure('AddResponse', element('result', 'xs:int')),
    structure('Echo', '<xs:any/>'),
    '<xs:complexType name="Item"><xs:sequence>',
    element('sku', 'xs:string'),
    element('count', 'tns:Count', 'minOccurs="0" nillable="true"'),
    element('price', 'xs:decimal', 'minOccurs="0"'),
    element('tag', 'xs:string', 'minOccurs="0" maxOccurs="unbounded"'),
    '</xs:sequence><xs:attribute name="id" type="xs:string"/></xs:complexType>',
    '<xs:simpleType name="Count"><xs:restriction base="xs:int"><xs:minInclusive value="0"/></xs:restriction></xs:simpleType>',
    '<xs:simpleType name="Size"><xs:restriction base="xs:string"><xs:enumeration value="S"/><xs:enumeration value="M"/></xs:restriction></xs:simpleType>',
    structure(
      'Order',
      element('item', 'tns:Item', 'maxOccurs="unbounded"'),
      element('size', 'tns:Size', 'minOccurs="0"'),
    ),
    structure('OrderResponse', element('seen', 'xs:string'), element('item', 'tns:Item', 'maxOccurs="unbounded"')),
    structure('Values'),
    structure(
      'ValuesResponse',
      ...['int', 'long', 'decimal', 'double', 'boolean', 'date', 'dateTime', 'string', 'base64Binary'].map((type) =>
        element(type, `xs:${type}`, 'minOccurs="0" nillable="true"'),
      ),
    ),
    structure('Fail', element('text', 'xs:string')),
    structure('FailResponse'),
    structure('Notify', element('text', 'xs:string')),
  ].join(''),
  operations: {
    Add: [part('Add'), part('AddResponse')],
    Order: [part('Order'), part('OrderResponse')],
    Values: [part('Values'), part('ValuesResponse')],
    Fail: [part('Fail'), part('FailResponse')],
    Notify: [part('Notify')],
  },
};

/** RPC: the parts of messages have types. */
export const rpc: Made = {
  style: 'rpc',
  operations: {
    multiply: ['<part name="a" type="xs:int"/><part name="b" type="xs:int"/>', '<part name="product" type="xs:int"/>'],
    divide: [
      '<part name="a" type="xs:int"/><part name="b" type="xs:int"/>',
      '<part name="quotient" type="xs:int"/><part name="rest" type="xs:int"/>',
    ],
  },
};

/** Bare document/literal: the element of a message is a single value. */
export const bare: Made = {
  schema: element('Name', 'xs:string') + element('Greeting', 'xs:string'),
  operations: { Greet: [part('Name'), part('Greeting')] },
};

export interface SoapServer {
  url: string;
  /** What was sent last: the headers and the message. */
  last(): { headers: IncomingMessage['headers']; body: string };
  /** Calls so far, those of WSDLs apart. */
  calls(): number;
  reads(): number;
  /** Texts by path, in place of the services. */
  pages: Map<string, { status?: number; type?: string; body: string | Buffer; headers?: Record<string, string> }>;
  stop(): Promise<void>;
}

export async function startSoapServer(): Promise<SoapServer> {
  const server = createServer();
  // Made for no port: it is given what no page answers.
  const library = createServer((_request, response) => response.writeHead(404).end());
  const pages: SoapServer['pages'] = new Map();
  let last = { headers: {} as IncomingMessage['headers'], body: '' };
  let calls = 0;
  let reads = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failing = ({ text }: { text: string }) => {
    throw { Fault: { faultcode: 'SOAP-ENV:Server', faultstring: text } };
  };
  const methods = {
    // Tests of odd values call it with anything.
    Add: (sent: { a?: unknown; b?: unknown } | null) => ({ result: (Number(sent?.a) || 0) + (Number(sent?.b) || 0) }),
    Order: (order: { item: object[] }) => ({ seen: JSON.stringify(order), item: order.item }),
    Values: () => ({
      ...{ int: 5, long: '9007199254740993', decimal: '1.50', double: '1e3', boolean: true, date: '2020-02-29+02:00' },
      ...{ dateTime: '2020-02-29T12:00:00+02:00', string: ' <b> & "c" ', base64Binary: 'AAEC' },
    }),
    Fail: failing,
    Notify: () => undefined,
  };
  const services = { Test: { Port: methods } };
  listen(library, '/wrapped', services as never, wsdlOf(`${url}/wrapped`, wrapped));
  listen(library, '/soap12', services as never, wsdlOf(`${url}/soap12`, { ...wrapped, binding: 'soap12' }));
  listen(library, '/rpc', rpcServices() as never, wsdlOf(`${url}/rpc`, rpc));
  listen(library, '/encoded', rpcServices() as never, wsdlOf(`${url}/encoded`, { ...rpc, use: 'encoded' }));
  server.on('request', (request: IncomingMessage, response) => {
    const page = pages.get(request.url ?? '');
    if (request.method === 'GET') reads += 1;
    else calls += 1;
    const body: Buffer[] = [];
    request.on('data', (chunk) => body.push(chunk));
    request.on('end', () => {
      last = { headers: request.headers, body: Buffer.concat(body).toString() };
      if (page)
        response
          .writeHead(page.status ?? 200, { 'Content-Type': page.type ?? 'text/xml', ...page.headers })
          .end(page.body);
    });
    if (!page) library.emit('request', request, response);
  });
  return {
    ...{ url, pages },
    last: () => last,
    calls: () => calls,
    reads: () => reads,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const rpcServices = () => ({
  Test: {
    Port: {
      multiply: ({ a, b }: { a: number; b: number }) => ({ product: a * b }),
      divide: ({ a, b }: { a: number; b: number }) => ({ quotient: Math.floor(a / b), rest: a % b }),
    },
  },
});

/** The envelope of an answer with a body. */
export const envelope = (body: string): string =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:tns="urn:test" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><soap:Body>${body}</soap:Body></soap:Envelope>`;
