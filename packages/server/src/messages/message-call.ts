// The call that a message leads to: read when somebody subscribes, filled when a message arrives. What a message says becomes a
// value of the payload; never a part of the address, the parameters or the headers.
import { isUtf8 } from 'node:buffer';
import { ExactNumber, Failure, fail, type Verb, verbs } from '@sluice/contract';
import { parseQuery } from '../call/address.ts';
import { parseJson } from '../call/formats/json.ts';
import { isRecord } from '../call/payload.ts';

/** A message as it arrived. */
export interface Message {
  topic: string;
  content: Uint8Array;
  /** How many calls of messages led to it, one by the other. */
  generation: number;
}

/** A call as it is stored. */
export interface MessageCall {
  /** As it was written. */
  endpoint: string;
  verb: Verb;
  service: string;
  path: string;
  parameter: [name: string, value: string][];
  header: [name: string, value: string][];
  payload?: unknown;
}

/** Bytes of a call as JSON, and how many parameters and headers it has. */
const maxCall = 16 * 1024;
const maxPairs = 50;
/** How deep a payload is nested. */
const maxDepth = 30;

/** Headers that say who calls: the call is made as the one who subscribed. */
const callerHeaders = /^(authorization|cookie|proxy-authorization|x-dreamfactory-.*|x-http-method.*|x-method.*)$/;

/** Reads `{endpoint, verb, header, parameter, payload}` of a topic. */
export function readMessageCall(topic: string, input: unknown): MessageCall {
  const refuse = (problem: string) => fail('message.badCall', { topic, problem });
  if (!isRecord(input)) throw refuse('it names no service');
  const { endpoint, verb = 'POST', payload } = input;
  if (typeof endpoint !== 'string' || endpoint.trim() === '') throw refuse('it has no endpoint');
  const upper = typeof verb === 'string' ? verb.toUpperCase() : '';
  if (!(verbs as readonly string[]).includes(upper)) throw refuse(`its verb is none of ${verbs.join(', ')}`);
  const [address = '', search = ''] = endpoint.trim().split(/\?(.*)/s, 2);
  const [service = '', ...path] = address.replace(/^\/*(api\/v2\/)?/, '').split('/');
  if (service === '' || /\p{Cc}|\p{Surrogate}/u.test(address)) throw refuse('its endpoint is no address');
  const header = readPairs(input.header ?? input.headers, 'header', refuse);
  if (header.some(([name]) => callerHeaders.test(name.toLowerCase())))
    throw refuse('a header says who calls; it is made as the one who subscribes');
  const call: MessageCall = {
    ...{ endpoint: endpoint.trim(), verb: upper as Verb, service: service.toLowerCase(), path: path.join('/') },
    parameter: [...readSearch(search, refuse), ...readPairs(input.parameter ?? input.parameters, 'parameter', refuse)],
    header: header.map(([name, value]) => [name.toLowerCase(), value]),
    ...(payload === undefined || payload === null ? {} : { payload: plain(payload, refuse) }),
  };
  if (Buffer.byteLength(JSON.stringify(call)) > maxCall) throw refuse(`it has more than ${maxCall} bytes`);
  return call;
}

type Refuse = (problem: string) => Failure;

function readSearch(search: string, refuse: Refuse): [string, string][] {
  try {
    return parseQuery(search)
      .pairs()
      .map(([name, value]) => [name, value]);
  } catch {
    throw refuse('the parameters of its endpoint are no text');
  }
}

/** An object of texts, or a list of such objects. */
function readPairs(input: unknown, kind: 'header' | 'parameter', refuse: Refuse): [string, string][] {
  const objects = Array.isArray(input) ? input : input === undefined || input === null ? [] : [input];
  const pairs = objects.flatMap((object: unknown) => {
    if (!isRecord(object)) throw refuse(`its ${kind} is no object`);
    return Object.entries(object);
  });
  if (pairs.length > maxPairs) throw refuse(`it has more than ${maxPairs} of ${kind}`);
  return pairs.map(([name, value]) => {
    if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber))
      throw refuse(`the ${kind} '${name}' is no text`);
    const text = value instanceof ExactNumber ? value.text : String(value ?? '');
    const isPlain =
      kind === 'parameter'
        ? !(name + text).includes('\0') && !/\p{Surrogate}/u.test(name + text)
        : /^[!#$%&'*+.^`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
    if (!isPlain) throw refuse(`the ${kind} '${name}' cannot be sent`);
    return [name, text] as [string, string];
  });
}

/** A payload without numbers that JSON alone keeps exactly, and not too deep. */
function plain(value: unknown, refuse: Refuse, depth = 0): unknown {
  if (depth > maxDepth) throw refuse(`its payload is nested deeper than ${maxDepth}`);
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return value.map((item) => plain(item, refuse, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, refuse, depth + 1)]));
}

/** What is sent of a call, for people who look at their subscriptions; other people's headers may hold secrets. */
export const shownCall = ({ endpoint, verb, header, parameter, payload }: MessageCall, mask?: string) => ({
  ...{ endpoint, verb },
  header: Object.fromEntries(header.map(([name, value]) => [name, mask ?? value])),
  parameter: Object.fromEntries(parameter),
  payload: payload ?? null,
});

// ---- the payload ----

/** A name in braces: the whole of the message, a part of one that is JSON, or the topic, or one of its levels from 1. */
const placeholder = /\{(message(?:\.[^{}.\s]+)*|topic(?:\.\d{1,2})?)\}/g;
/** Characters that a message may become: a payload can name it many times. */
const maxFilled = 4 * 1024 * 1024;

/**
 * The payload of the call for a message. A text that is a placeholder alone becomes its value, a number or an object too; in longer
 * texts its text stands. Without any placeholder an object gets the message as `message`, as older servers did.
 */
export function payloadFor({ payload, verb }: Pick<MessageCall, 'payload' | 'verb'>, message: Message): unknown {
  if (payload === undefined) return verb === 'GET' ? undefined : { message: textOf(message.content) };
  const values = valuesOf(message);
  if (hasPlaceholder(payload)) return fill(payload, values);
  return isRecord(payload) ? { ...payload, message: values('message') } : payload;
}

const hasPlaceholder = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.search(placeholder) >= 0
    : typeof value === 'object' && value !== null && Object.values(value).some(hasPlaceholder);

function fill(value: unknown, values: (name: string) => unknown): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, values)]));
}

function fillText(text: string, values: (name: string) => unknown): unknown {
  const whole = new RegExp(`^${placeholder.source}$`).exec(text);
  if (whole) return values(whole[1] as string);
  return text.replace(placeholder, (_, name: string) => {
    const value = values(name) ?? '';
    return value instanceof ExactNumber
      ? value.text
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  });
}

/** Finds the values of placeholders; what is not there is null. */
function valuesOf({ topic, content }: Message): (name: string) => unknown {
  const text = textOf(content);
  let json: { value: unknown } | undefined;
  let filled = 0;
  return (name) => {
    const [root, ...path] = name.split('.');
    filled += text.length;
    if (filled > maxFilled) throw fail('message.tooLarge', { limit: maxFilled });
    if (root === 'topic') return path.length === 0 ? topic : (topic.split('/')[Number(path[0]) - 1] ?? null);
    if (path.length === 0) return text;
    json ??= { value: jsonOf(text) };
    return path.reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : null,
      json.value,
    );
  };
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** A message as a text: UTF-8, else base64. */
const textOf = (content: Uint8Array): string => Buffer.from(content).toString(isUtf8(content) ? 'utf8' : 'base64');
