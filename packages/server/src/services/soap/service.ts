// An open SOAP service: its WSDL, read when it is first called, how a call becomes one of an operation, and what is kept of answers.
import { createHash } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { ExactNumber, Failure, fail, verbsOf } from '@sluice/contract';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { hopsHeader } from '../../call/hops.ts';
import { naturally } from '../../call/natural-order.ts';
import { isRecord } from '../../call/payload.ts';
import type { OutsideResponse } from '../../fetch/open.ts';
import { callerLookups } from '../../scripts/lookups.ts';
import type { ItemDescription } from '../../service/operation.ts';
import { callerMask, selectKeys } from '../../service/root.ts';
import type { OpenService, ServiceContext } from '../../service/service.ts';
import type { PrivateTargets } from '../../settings/index.ts';
import { createOutside, refusedAddress } from '../engines/outside.ts';
import { cacheScope, createRemoteSlots, type Fills, fillsOf, hideSecrets, hopOf } from '../engines/remote-calls.ts';
import { dataOf, type SoapConfig, type SoapHeader, wsdlPlace } from './config.ts';
import { readOptions, type SoapOptions } from './options.ts';
import { createProgram, type KeyedDefinition, Problem, type Program } from './program.ts';
import { decodeXml } from './text.ts';
import type { MessageHeader, OperationFacts, Sent } from './thread/client.ts';
import { definitionOf } from './without-wsdl.ts';
import { readWsdl } from './wsdl.ts';

export interface SoapService extends OpenService {
  /** Answers a call of an operation, by its name in any letter case. */
  call(call: Call, operation: string): Promise<Reply>;
  /** The operations in natural order; none without a WSDL. */
  operations(refresh?: boolean): Promise<OperationFacts[]>;
}

/** Bytes of an answer: it is read as a whole. */
const maxAnswer = 4 * 1024 * 1024;
/** Characters of an answer that is kept. */
const maxKept = 1024 * 1024;
/** Milliseconds that a WSDL which cannot be read is not read again: it may have taken its thread all the time there is. */
const blameTime = 10_000;
/** Characters of the words of a fault. */
const maxFault = 4_000;
const maxHeader = 8_000;

/** The WSDL as it was read. */
interface Loaded {
  definition: KeyedDefinition;
  operations: OperationFacts[];
  byName: ReadonlyMap<string, OperationFacts>;
  /** The text of the WSDL itself, without what it imports. */
  text: string;
}

export function openSoap(config: SoapConfig, context: ServiceContext, privateTargets: PrivateTargets): SoapService {
  const place = wsdlPlace(config.wsdl);
  const options = readOptions(config.options ?? {});
  const minutes = config.cache_enabled ? (config.cache_ttl ?? 0) : 0;
  const lookupsOf = context.require(callerLookups);
  const outside = createOutside(privateTargets);
  const slots = createRemoteSlots();
  const program = createProgram((error) => context.log.warn({ err: error }, 'The thread of a SOAP service failed.'));
  let loading: Promise<Loaded> | undefined;
  let retryAt = 0;
  let isBlamed = false;

  /** One reading for all who ask; after one that failed the next call tries again, in a while where the WSDL is to blame. */
  function load(refresh = false): Promise<Loaded> {
    if (loading && (isBlamed || !refresh) && Date.now() < retryAt) return loading;
    const current = read();
    [loading, retryAt, isBlamed] = [current, Number.POSITIVE_INFINITY, false];
    current.catch((error) => {
      if (loading !== current) return;
      isBlamed = error instanceof Failure && error.key === 'soap.startup';
      retryAt = isBlamed ? Date.now() + blameTime : 0;
    });
    return current;
  }

  async function read(): Promise<Loaded> {
    if (!place) return { definition: noDefinition, operations: [], byName: new Map(), text: '' };
    const home = 'address' in place ? place.address : new URL('http://wsdl.invalid/');
    const { address, documents } = await readWsdl({
      ...{ place, options, program, send: outside.to(home), dataFolder: context.dataFolder },
    });
    const { location, isSoap12 } = options;
    const definition = {
      key: createHash('sha256')
        .update(JSON.stringify([...documents]))
        .digest('base64'),
      definition: { wsdl: address, documents, location: location?.href, isSoap12 },
    };
    try {
      const operations = (await program.list(definition)).sort((a, b) => naturally(a.name, b.name));
      const byName = new Map(operations.map((operation) => [operation.name.toLowerCase(), operation]));
      return { definition, operations, byName, text: documents.get(address) ?? '' };
    } catch (error) {
      if (error instanceof Problem) throw fail('soap.startup', { problem: error.message });
      throw error;
    }
  }

  /** What a call by this name is; without a WSDL any name that an element can have. */
  async function find(
    operation: string,
  ): Promise<{ name: string; facts?: OperationFacts; loaded: Loaded; definition: KeyedDefinition }> {
    const loaded = await load();
    if (!place) {
      const { uri, location } = options;
      if (!/^[\p{L}_][\p{L}\p{M}\p{N}._-]{0,199}$/u.test(operation) || uri === undefined || !location)
        throw fail('soap.unknownFunction', { name: operation });
      return { name: operation, loaded, definition: definitionOf(operation, uri, location.href, options.isSoap12) };
    }
    const facts = loaded.byName.get(operation.toLowerCase());
    if (!facts) throw fail('soap.unknownFunction', { name: operation });
    return { name: facts.name, facts, loaded, definition: loaded.definition };
  }

  /** Where the calls go is what a WSDL says, which comes from elsewhere: its own host may be in a private network, others may not. */
  function homeOf(address: string, { text }: Loaded): URL {
    const target = new URL(address);
    if (options.location) return options.location;
    if (place && 'address' in place) return place.address;
    return text.includes(target.host) ? target : new URL('http://wsdl.invalid/');
  }

  return {
    async operations(refresh) {
      return (await load(refresh)).operations;
    },

    async call(call, operation) {
      const hop = hopOf(call);
      const { name, facts, loaded, definition } = await find(operation);
      const lookups = await lookupsOf(call.caller);
      const fills = fillsOf(call, lookups);
      const value = call.verb === 'GET' ? queryOf(call, facts) : plainPayload(await call.body());
      const headers = messageHeaders(config.headers ?? [], fills);
      const key = call.verb === 'GET' && minutes > 0 ? cacheKey(call, name, value, headers) : undefined;
      const kept = key === undefined ? undefined : context.cache.get(key);
      if (kept !== undefined) return replyOf(JSON.parse(kept));
      return slots.run(call, async () => {
        try {
          const sent = await write(program, definition, { operation: name, value, headers });
          const response = await outside.to(homeOf(sent.address, loaded))({
            verb: 'POST',
            address: sent.address,
            headers: requestHeaders(sent, options, hop),
            body: Buffer.from(sent.body),
            maxRedirects: 0,
            ...{ connectTimeout: options.connectTimeout, totalTimeout: options.totalTimeout, signal: call.signal },
          });
          const received = await receive(program, definition, name, response);
          if ('fault' in received) {
            const text = hideSecrets(received.fault.text, lookups).slice(0, maxFault);
            throw fail('soap.fault', { text, code: hideSecrets(received.fault.code, lookups).slice(0, 200) });
          }
          const text = key === undefined ? '' : JSON.stringify(received.result ?? null);
          if (key !== undefined && text.length <= maxKept) context.cache.set(key, text, minutes * 60);
          return replyOf(received.result);
        } catch (error) {
          throw refusedAddress(error);
        }
      });
    },

    async close() {
      outside.close();
      await program.close();
    },
  };
}

const noDefinition: KeyedDefinition = { key: '', definition: { documents: new Map() } };

/** Reads the WSDL, or asks for the head of what is at the location: any answer will do. */
export async function testSoap(
  config: SoapConfig,
  context: ServiceContext,
  privateTargets: PrivateTargets,
): Promise<void> {
  const { location } = readOptions(config.options ?? {});
  if (wsdlPlace(config.wsdl)) {
    const service = openSoap(config, context, privateTargets);
    try {
      await service.operations();
    } finally {
      await service.close?.();
    }
    return;
  }
  if (!location) throw fail('soap.startup', { problem: 'there is neither a WSDL nor a location' });
  const outside = createOutside(privateTargets);
  const request = { verb: 'HEAD', address: location.href, headers: new Map<string, string>(), maxRedirects: 0 };
  (await outside.to(location)({ ...request, totalTimeout: 30_000 })).discard();
  outside.close();
}

/** What describes an operation, for API docs. */
export const describeOperation = async (service: SoapService, name: string): Promise<ItemDescription> => {
  const found = (await service.operations()).find((operation) => operation.name === name);
  if (!found) throw fail('soap.unknownFunction', { name });
  return { operation: { description: found.description, request: found.request, response: found.response } };
};

/** The operations that a caller may call in any way, as the root lists them. */
export function listed(operations: readonly OperationFacts[], call: Call, fields: string | string[]): object[] {
  return operations.map((operation) => {
    const { name, description, requestType, requestFields, responseType, responseFields } = operation;
    const entry = { name, description, requestType, requestFields, responseType, responseFields };
    return selectKeys({ ...entry, access: verbsOf(callerMask(call, name)) }, fields);
  });
}

// ---- what is sent ----

async function write(
  program: Program,
  definition: KeyedDefinition,
  call: { operation: string; value: unknown; headers: MessageHeader[] },
): Promise<Sent> {
  try {
    return await program.write(definition, call);
  } catch (error) {
    if (error instanceof Problem) throw fail('soap.badArguments', { problem: error.message });
    throw error;
  }
}

function requestHeaders(sent: Sent, options: SoapOptions, hop: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(sent.headers)) {
    try {
      validateHeaderValue(name, value);
    } catch {
      throw fail('soap.startup', { problem: `its WSDL has a ${name} that cannot be sent` });
    }
    headers.set(name.toLowerCase(), value);
  }
  if ([...headers.values()].some(({ length }) => length > maxHeader))
    throw fail('soap.startup', { problem: 'its WSDL has a SOAPAction that is too long' });
  return new Map([...headers, ...options.headers, [hopsHeader, hop]]);
}

/** The key and the token that a caller identified with are for this server. */
const ownNames = new Set(['api_key', 'session_token']);

/** The arguments in a query: those that the operation has, or all where nothing says which those are. */
function queryOf({ query }: Pick<Call, 'query'>, facts: OperationFacts | undefined): Record<string, unknown> {
  const known = facts && new Set(Object.keys(facts.requestFields));
  const values = new Map<string, string[]>();
  for (const [sent, value] of query.pairs()) {
    const name = sent.replace(/\[\d*\]$/, '');
    if (ownNames.has(name.toLowerCase()) || (known && !known.has(name))) continue;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

/** A payload as another thread takes it: long numbers by their digits. */
function plainPayload(payload: unknown): unknown {
  if (payload instanceof ExactNumber) return payload.text;
  if (payload instanceof Uint8Array) return Buffer.from(payload).toString();
  if (Array.isArray(payload)) return payload.map(plainPayload);
  if (!isRecord(payload)) return payload;
  const entries = Object.entries(payload).filter(([name]) => !ownNames.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, plainPayload(value)]));
}

function messageHeaders(rows: readonly SoapHeader[], fills: Fills): MessageHeader[] {
  try {
    return rows.map((row): MessageHeader => {
      const { type, namespace, name, mustunderstand, actor } = row;
      const data = filled(dataOf(row.data), fills);
      const common = { mustUnderstand: mustunderstand ?? false, actor: fills.rule(actor?.trim() ?? '') };
      if (type?.trim() !== 'wsse') {
        const names = { namespace: fills.rule(namespace?.trim() ?? ''), name: name?.trim() ?? '' };
        return { type: 'generic', ...names, data, ...common };
      }
      const { username, password, password_type } = (isRecord(data) ? data : {}) as Record<string, unknown>;
      const digest = /digest/i.test(String(password_type ?? ''));
      return { type: 'wsse', username: String(username ?? ''), password: String(password ?? ''), digest, ...common };
    });
  } catch (error) {
    if (error instanceof Failure) throw fail('soap.badHeader', undefined, { cause: error });
    throw error;
  }
}

function filled(value: unknown, fills: Fills): unknown {
  if (typeof value === 'string') return fills.rule(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, fills));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, filled(of, fills)]));
}

// ---- what comes back ----

async function receive(program: Program, definition: KeyedDefinition, operation: string, response: OutsideResponse) {
  const { status, headers } = response;
  const bytes = await response.bytes(maxAnswer);
  try {
    const received = await program.read(definition, {
      operation,
      text: decodeXml(bytes, headers['content-type'] ?? ''),
    });
    if ('result' in received && status >= 300) throw new Problem('it is no fault');
    return received;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const problem = status >= 300 ? `it has the status ${status}` : error.message;
    throw fail('soap.badAnswer', { problem }, { cause: error });
  }
}

const replyOf = (result: unknown): Reply =>
  answer(result === null || result === undefined ? {} : Array.isArray(result) ? { resource: result } : result);

/** By operation and arguments; ours besides: whose answer it is, and the headers of the message. */
const cacheKey = (call: Call, name: string, value: unknown, headers: readonly MessageHeader[]): string =>
  createHash('sha256')
    .update(JSON.stringify([name, value, headers, ...cacheScope(call)]))
    .digest('base64');
