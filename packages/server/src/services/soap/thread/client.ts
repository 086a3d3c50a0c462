// The library's client of one WSDL, in the thread: what it sends is taken from it and what it is to read is given to it, so it has
// no connection of its own.
import { createRequire } from 'node:module';
import { type Client, createClientAsync, WSSecurity } from 'soap';
import type { ValueShape } from '../../../service/operation.ts';
import { argumentsOf, keys } from './arguments.ts';
import { escapeXml, lookAt, Unreadable } from './document.ts';
import { jsonValue, kindOf } from './primitives.ts';
import { plainResult } from './results.ts';
import { maxAllParts, type PartBudget, partsOf, shapeOf, simpleType, typeName } from './shapes.ts';

/** An operation as lists and API docs have it. */
export interface OperationFacts {
  name: string;
  description: string | null;
  requestType: string;
  /** Types by the names of the parts. */
  requestFields: Record<string, string>;
  responseType: string | null;
  responseFields: Record<string, string>;
  request: ValueShape;
  response: ValueShape;
}

/** What a service is made of. */
export interface Definition {
  /** The address of the WSDL; absent: there is none, and each call says its own operation. */
  wsdl?: string | undefined;
  /** The texts of the WSDL and of what it imports, by address, as `lookAt` leaves them. */
  documents: ReadonlyMap<string, string>;
  /** Where calls go, in place of what the WSDL says. */
  location?: string | undefined;
  /** Without a WSDL: the namespace of the operations. */
  uri?: string | undefined;
  isSoap12?: boolean | undefined;
}

/** A header of the message, its lookup keys put in. */
export type MessageHeader =
  | { type: 'generic'; namespace: string; name: string; data: unknown; mustUnderstand: boolean; actor: string }
  | { type: 'wsse'; username: string; password: string; digest: boolean; mustUnderstand: boolean; actor: string };

export interface Sent {
  address: string;
  headers: Record<string, string>;
  body: string;
}

export type Received = { result: unknown } | { fault: { code: string; text: string } };

/** The parts of the library's model that are looked into. */
interface Message {
  $name?: string;
  element?: unknown;
  parts?: Record<string, unknown> | null;
  description(definitions: unknown): Record<string, unknown>;
}
interface Method {
  $name: string;
  input: Message | null;
  output: Message | null;
  style: string;
  children?: { name?: string; nsName?: string }[];
}
interface Definitions {
  services?: Record<
    string,
    { ports: Record<string, { location: string; binding: { methods: Record<string, Method> } }> }
  >;
  schemas: Record<string, { types: Record<string, { description(definitions: unknown): unknown }> }>;
}

type Call = (args: unknown, done: (error: unknown, result: unknown) => void) => void;

// The library's parser breaks longer texts, and of one beside attributes keeps the last piece.
const requireOfLibrary = createRequire(createRequire(import.meta.url).resolve('soap'));
(requireOfLibrary('sax') as { MAX_BUFFER_LENGTH: number }).MAX_BUFFER_LENGTH = Number.POSITIVE_INFINITY;

/** Operations of a service. */
const maxOperations = 2_000;

const soap12 = 'http://www.w3.org/2003/05/soap-envelope';
const soap12Address = 'http://schemas.xmlsoap.org/wsdl/soap12/';
const envelopes = new Set(['http://schemas.xmlsoap.org/soap/envelope/', soap12]);

/** What the library is to do with what it would send. */
type Transport = (
  address: string,
  body: string,
  headers: Record<string, string>,
  done: (error: unknown, response: unknown, body: string) => void,
) => void;

export class SoapClient {
  readonly operations = new Map<string, { method: Method; call: Call; facts: OperationFacts }>();

  private readonly client: Client;
  private readonly transport: { current: Transport | undefined };
  private readonly isSoap12: boolean;

  private constructor(client: Client, transport: { current: Transport | undefined }, isSoap12: boolean) {
    this.client = client;
    this.transport = transport;
    this.isSoap12 = isSoap12;
  }

  /** Throws `Unreadable` where the WSDL is none. */
  static async open(definition: Definition): Promise<SoapClient> {
    const wsdl = definition.wsdl ?? 'http://wsdl.invalid/';
    const transport: { current: Transport | undefined } = { current: undefined };
    const ports = definition.wsdl === undefined ? new Map() : lookAt(textOf(definition, wsdl)).ports;
    const isSoap12 =
      definition.isSoap12 ?? (ports.size > 0 && [...ports.values()].every((namespace) => namespace === soap12Address));
    const httpClient = {
      request(address: string, body: string, done: (...args: unknown[]) => void, headers: Record<string, string>) {
        if (body) transport.current?.(address, body, headers, done);
        else read(address, done);
      },
    };
    const read = (address: string, done: (...args: unknown[]) => void) => {
      try {
        done(null, { status: 200 }, textOf(definition, address));
      } catch (error) {
        done(error);
      }
    };
    let client: Client;
    try {
      client = await createClientAsync(wsdl, {
        httpClient: httpClient as never,
        disableCache: true,
        attributesKey: keys.attributes,
        valueKey: keys.value,
        xmlKey: keys.xml,
        handleNilAsNull: true,
        preserveWhitespace: true,
        forceSoap12Headers: isSoap12,
        ...(isSoap12 ? { envelopeSoapUrl: soap12 } : {}),
        ...(definition.location === undefined ? {} : { endpoint: definition.location }),
        customDeserializer: deserializers(),
      } as never);
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable((error as Error).message);
    }
    const opened = new SoapClient(client, transport, isSoap12);
    opened.list(ports, isSoap12);
    return opened;
  }

  /** The operations of the first port that speaks the version, or of the first at all. */
  private list(ports: Map<string, string | undefined>, isSoap12: boolean): void {
    const definitions = definitionsOf(this.client);
    const all = Object.entries(definitions.services ?? {}).flatMap(([service, { ports: of }]) =>
      Object.entries(of).map(([port, { binding }]) => ({ service, port, methods: binding.methods })),
    );
    const chosen = all.find(({ port }) => (ports.get(port) === soap12Address) === isSoap12) ?? all[0];
    if (!chosen) throw new Unreadable('the WSDL names no service that is called by SOAP');
    learnTypes(this.client, definitions);
    const calls = (this.client as unknown as Record<string, Record<string, Record<string, Call>>>)[chosen.service]?.[
      chosen.port
    ] as Record<string, Call>;
    const methods = Object.entries(chosen.methods);
    if (methods.length > maxOperations) throw new Unreadable(`the WSDL has more than ${maxOperations} operations`);
    const budget = { left: maxAllParts };
    for (const [name, method] of methods) {
      const call = calls[name];
      if (call && method.input)
        this.operations.set(name.toLowerCase(), { method, call, facts: factsOf(name, method, definitions, budget) });
    }
  }

  /** What a call sends. Throws `Unreadable` for arguments that make no message. */
  write(operation: string, value: unknown, headers: readonly MessageHeader[]): Sent {
    const { method, call } = this.find(operation);
    const isRpc = method.style === 'rpc';
    const args = argumentsOf(value, descriptionOf(method.input, definitionsOf(this.client), isRpc), isRpc);
    this.client.clearSoapHeaders();
    this.client.setSecurity(undefined as never);
    for (const header of headers) this.addHeader(header);
    let sent: Sent | undefined;
    this.run(call, args ?? {}, (address, body, sentHeaders) => {
      sent = { address, headers: sentHeaders, body };
    });
    if (!sent) throw new Unreadable('the library makes no message of it');
    return sent;
  }

  private addHeader(header: MessageHeader): void {
    if (header.type === 'wsse') {
      const { username, password, digest, mustUnderstand, actor } = header;
      const more = {
        ...(mustUnderstand ? { mustUnderstand } : {}),
        ...(actor === '' ? {} : { actor: escapeXml(actor) }),
      };
      const options = {
        passwordType: digest ? 'PasswordDigest' : 'PasswordText',
        hasTimeStamp: false,
        hasTokenCreated: digest,
      };
      this.client.setSecurity(new WSSecurity(plain(username), plain(password), { ...options, ...more } as never));
    } else this.client.addSoapHeader(headerXml(header, this.isSoap12));
  }

  /** What an answer says. Throws `Unreadable` where it is no answer of the operation. */
  read(operation: string, text: string): Received {
    const { method, call } = this.find(operation);
    const isRpc = method.style === 'rpc';
    if (text.trim() === '') {
      if (expectsMore(method, definitionsOf(this.client))) throw new Unreadable('it is empty');
      return { result: null };
    }
    const seen = lookAt(text);
    if (seen.root.name !== 'Envelope' || !envelopes.has(seen.root.namespace ?? ''))
      throw new Unreadable(`it is no SOAP envelope, but begins with "${seen.root.name.slice(0, 80)}"`);
    let outcome: { error: unknown; result: unknown } | undefined;
    this.run(
      call,
      {},
      (_address, _body, _headers, done) => done(null, { status: 200, headers: {} }, seen.text),
      (error, result) => {
        outcome = { error, result };
      },
    );
    if (outcome?.error) return { fault: faultOf(outcome.error) };
    const result = outcome?.result;
    if (isEmptyEnvelope(result) || result === undefined) {
      if (expectsMore(method, definitionsOf(this.client)))
        throw new Unreadable('its body holds nothing that the WSDL describes');
      return { result: null };
    }
    const answered = plainResult(result, isRpc);
    return { result: isRpc ? onlyPart(answered, method.output) : answered };
  }

  private run(
    call: Call,
    args: unknown,
    transport: Transport,
    done: (error: unknown, result: unknown) => void = () => {},
  ): void {
    this.transport.current = transport;
    try {
      call(args, done);
    } finally {
      this.transport.current = undefined;
    }
  }

  private find(operation: string) {
    const found = this.operations.get(operation.toLowerCase());
    if (!found) throw new Unreadable(`there is no operation ${operation}`);
    return found;
  }
}

const definitionsOf = (client: Client): Definitions =>
  (client as unknown as { wsdl: { definitions: Definitions } }).wsdl.definitions;

/** Of an address as it is written somewhere. */
function textOf({ documents }: Definition, address: string): string {
  const text = URL.canParse(address) ? documents.get(addressKey(address)) : undefined;
  if (text === undefined) throw new Unreadable(`${address.slice(0, 200)} is not read`);
  return text;
}

/** What a document is known by: its address without a fragment. */
export function addressKey(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

// ---- operations ----

function factsOf(name: string, method: Method, definitions: Definitions, budget: PartBudget): OperationFacts {
  const isRpc = method.style === 'rpc';
  const request = descriptionOf(method.input, definitions, isRpc);
  const response = descriptionOf(method.output, definitions, isRpc);
  const parts = partsOf(response);
  const [only] = parts;
  // The value of a single part stands for the message.
  const answered = isRpc && parts.length === 1 && only ? only.type : response;
  return {
    name,
    description: documentationOf(method),
    requestType: method.input?.$name ?? name,
    requestFields: fieldsOf(request),
    responseType: method.output?.$name ?? null,
    responseFields: fieldsOf(response),
    request: shapeOf(request, budget),
    response: shapeOf(answered, budget),
  };
}

/** Fields of a message that the list of operations has. */
const maxFields = 200;
const fieldsOf = (type: unknown): Record<string, string> =>
  Object.fromEntries(
    partsOf(type)
      .slice(0, maxFields)
      .map((part) => [part.name, typeName(part)]),
  );

/** The library keeps no texts of documentation. */
const documentationOf = (_method: Method): string | null => null;

/** What a message holds: the type of its element, or its parts. */
function descriptionOf(message: Message | null, definitions: Definitions, isRpc: boolean): unknown {
  if (!message) return undefined;
  if (!isRpc || !message.parts) return Object.values(message.description(definitions))[0];
  return Object.fromEntries(
    Object.entries(message.parts).map(([name, part]) => [name, describePart(part, definitions)]),
  );
}

/** Parts of a message are types by name, or of the WSDL. */
function describePart(part: unknown, definitions: Definitions): unknown {
  const { description } = (part ?? {}) as { description?(definitions: unknown, xmlns?: unknown): unknown };
  return typeof description === 'function'
    ? description.call(part, definitions, (part as { schemaXmlns?: unknown }).schemaXmlns)
    : part;
}

/** Whether an answer of an operation holds anything. */
function expectsMore(method: Method, definitions: Definitions): boolean {
  const description = descriptionOf(method.output, definitions, method.style === 'rpc');
  return typeof description === 'string' || partsOf(description).length > 0;
}

function onlyPart(answered: unknown, message: Message | null): unknown {
  const names = Object.keys(message?.parts ?? {});
  const [name] = names;
  if (names.length !== 1 || name === undefined || typeof answered !== 'object' || answered === null) return answered;
  return Object.hasOwn(answered, name) ? (answered as Record<string, unknown>)[name] : answered;
}

/** What the library gives where the body of an answer is empty: the envelope. */
const isEmptyEnvelope = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && Object.hasOwn(result, 'Body');

// ---- values ----

type Deserializers = Record<string, (text: string) => unknown>;

/** Numbers, truth values and dates as JSON has them; other types are texts. */
function deserializers(): Deserializers {
  const names = [
    'byte',
    'short',
    'int',
    'unsignedByte',
    'unsignedShort',
    'unsignedInt',
    'integer',
    'long',
    'unsignedLong',
  ].concat(
    ['negativeInteger', 'nonNegativeInteger', 'positiveInteger', 'nonPositiveInteger', 'decimal', 'float', 'double'],
    ['boolean', 'bool', 'dateTime', 'date'],
  );
  return Object.fromEntries(names.map((name) => [name, (text: string) => jsonValue(text, kindOf(name) ?? 'text')]));
}

/** Types of the WSDL that restrict numbers and truth values are such, too; those of one name in several namespaces only where all are. */
function learnTypes(client: Client, definitions: Definitions): void {
  const known = (client as unknown as { wsdl: { options: { customDeserializer: Deserializers } } }).wsdl.options
    .customDeserializer;
  const found = new Map<string, Set<string>>();
  for (const { types } of Object.values(definitions.schemas)) {
    for (const [name, type] of Object.entries(types)) {
      const description = type.description(definitions);
      const primitive = typeof description === 'string' ? simpleType(description).primitive : undefined;
      found.set(name, (found.get(name) ?? new Set()).add(primitive ?? 'string'));
    }
  }
  for (const [name, primitives] of found) {
    const [primitive] = primitives;
    const kind = primitives.size === 1 && primitive !== undefined ? kindOf(primitive) : undefined;
    if (kind !== undefined && kind !== 'text' && !Object.hasOwn(known, name))
      known[name] = (text) => jsonValue(text, kind);
  }
}

// ---- faults ----

function faultOf(error: unknown): { code: string; text: string } {
  const { root } = error as { root?: { Envelope?: { Body?: { Fault?: Record<string, unknown> } } } };
  const fault = root?.Envelope?.Body?.Fault;
  if (!fault) throw new Unreadable('its body holds nothing that the WSDL describes');
  const { Code, Reason } = fault as { Code?: { Value?: unknown }; Reason?: { Text?: unknown } };
  const text = Array.isArray(Reason?.Text) ? Reason.Text[0] : Reason?.Text;
  return { code: wordsOf(fault.faultcode ?? Code?.Value), text: wordsOf(fault.faultstring ?? text) };
}

function wordsOf(value: unknown): string {
  const plainValue =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[keys.value] : value;
  return typeof plainValue === 'string' || typeof plainValue === 'number' ? String(plainValue).trim() : '';
}

// ---- headers ----

/** The library writes texts that look like CDATA as they are. */
const plain = (text: string): string => (text.startsWith('<![CDATA[') ? ` ${text}` : text);

function headerXml(
  { namespace, name, data, mustUnderstand, actor }: MessageHeader & { type: 'generic' },
  isSoap12: boolean,
): string {
  const attributes = [
    namespace === '' ? '' : ` xmlns="${escapeXml(namespace)}"`,
    mustUnderstand ? ' soap:mustUnderstand="1"' : '',
    actor === '' ? '' : ` soap:${isSoap12 ? 'role' : 'actor'}="${escapeXml(actor)}"`,
  ].join('');
  return elementXml(name, data, attributes, 0);
}

function elementXml(name: string, value: unknown, attributes: string, depth: number): string {
  if (!/^[\p{L}_][\p{L}\p{M}\p{N}._-]*$/u.test(name) || depth > 20)
    throw new Unreadable(`the header ${JSON.stringify(name.slice(0, 80))} has no name, or is too deep`);
  if (Array.isArray(value)) return value.map((item) => elementXml(name, item, attributes, depth + 1)).join('');
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([child, of]) => elementXml(child, of, '', depth + 1))
          .join('')
      : escapeXml(String(value ?? ''));
  return `<${name}${attributes}>${inside}</${name}>`;
}
