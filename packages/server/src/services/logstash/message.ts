// A message as a Logstash server gets it: bounded, its secrets masked.
import { secretMask } from '@sluice/contract';
import type { Call } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';
import { createHideSecrets, hideInValue } from '../../scripts/secrets.ts';
import { type Level, levels } from './config.ts';

export interface LogMessage {
  /** Milliseconds since 1970. */
  time: number;
  level: Level;
  message: string;
  /** Of the event that it is about; absent where somebody sent it. */
  event?: string | undefined;
  requestId: string;
  /** What goes along, by name, as JSON. */
  context: Record<string, unknown>;
}

/** Characters of a text, items of a list or an object, depth, and values in all. */
const maxText = 4_000;
const maxItems = 100;
const maxDepth = 8;
const maxValues = 2_000;
/** Bytes of a message. */
export const maxMessage = 60_000;

const secretHeader = /auth|cookie|token|key|secret|passw|session|signature|credential/i;
const secretField =
  /passw|secret|token|api_?key|authorization|cookie|credential|private_?key|security_answer|confirm_code|^code$|session_id/i;

/** A value within bounds, with the mask in the place of secrets, which are known by their names. */
export function boundedValue(value: unknown, isHeaders = false): unknown {
  let count = 0;
  const read = (of: unknown, depth: number, isSecret: (name: string) => boolean): unknown => {
    count += 1;
    if (count > maxValues || depth > maxDepth) return '…';
    if (typeof of === 'string') return shortText(of);
    if (of instanceof Uint8Array) return `${of.length} bytes`;
    if (Array.isArray(of)) return of.slice(0, maxItems).map((item) => read(item, depth + 1, isSecret));
    if (!isRecord(of)) return typeof of === 'object' && of !== null ? String(of) : of;
    return Object.fromEntries(
      Object.entries(of)
        .slice(0, maxItems)
        .map(([name, item]) => [
          shortText(name).slice(0, 200),
          isSecret(name) && item !== null && item !== '' ? secretMask : read(item, depth + 1, isSecret),
        ]),
    );
  };
  return read(value, 0, isHeaders ? (name) => secretHeader.test(name) : (name) => secretField.test(name));
}

const shortText = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText)}…` : text);

/** The parts of an event that were chosen, by name. `platform`: what `_platform.config` is. */
export function contextOf(
  names: readonly string[],
  { data, call }: { data: Record<string, unknown>; call: Call },
  platform: Record<string, unknown>,
): Record<string, unknown> {
  const all = { _event: maskedEvent(data), _platform: { config: platform, session: sessionOf(call) } };
  const hide = createHideSecrets(call, data);
  const found = names.flatMap((name): [string, unknown][] => {
    const value = name
      .split('.')
      .reduce<unknown>((of, part) => (isRecord(of) && Object.hasOwn(of, part) ? of[part] : undefined), all);
    return value === undefined ? [] : [[name, hideInValue(value, hide)]];
  });
  return Object.fromEntries(found);
}

/** The event with everything in it that may be a secret masked: the text of a body and an address repeat what fields say. */
function maskedEvent({ request, response, resource, ...others }: Record<string, unknown>): Record<string, unknown> {
  const { headers, content, uri, payload, ...rest } = isRecord(request) ? request : {};
  const answered = isRecord(response) ? response : undefined;
  return {
    ...(boundedValue(others) as object),
    resource: boundedValue(resource ?? null),
    request: {
      ...(boundedValue(rest) as object),
      payload: boundedValue(payload ?? null),
      headers: boundedValue(headers ?? {}, true),
      content: maskedText(content, payload),
      uri: typeof uri === 'string' ? shortText(uri.split('?')[0] as string) : null,
    },
    ...(answered
      ? {
          response: {
            status_code: answered.status_code ?? null,
            content_type: boundedValue(answered.content_type ?? null),
            content: maskedText(answered.content, undefined),
          },
        }
      : {}),
  };
}

/** A text that is JSON, or what it was read as, masked as values are; another one as it is. */
function maskedText(content: unknown, payload: unknown): unknown {
  if (typeof content !== 'string') return boundedValue(content ?? null);
  if (isRecord(payload) || Array.isArray(payload)) return shortText(JSON.stringify(boundedValue(payload)));
  const start = content.trimStart()[0];
  if (start !== '{' && start !== '[') return shortText(content);
  try {
    return shortText(JSON.stringify(boundedValue(JSON.parse(content))));
  } catch {
    // What is cut or broken could have a secret anywhere.
    return `${content.length} characters`;
  }
}

/** Who called, without what they could be called as. */
function sessionOf({ caller: { user, app, role, requestor } }: Call): Record<string, unknown> {
  return {
    user: user
      ? { id: user.id, name: user.name, username: user.username, email: user.email, is_sys_admin: user.isAdmin }
      : null,
    app: app ? { id: app.id, name: app.name } : null,
    role: role ? { id: role.id, name: role.name } : null,
    api_key: app ? secretMask : null,
    requestor,
  };
}

/** GELF 1.1: one object whose own fields begin with `_`, values in them texts and numbers. */
export function gelfOf(message: LogMessage, host: string): string {
  const { time, level, message: text, event, requestId, context } = message;
  const facts = { _event: event, _request_id: requestId, _level_name: level };
  const own = Object.entries({ ...facts, ...context }).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || value === null) return [];
    const field = name.replace(/[^\w.-]/g, '_').replace(/^(?!_)/, '_');
    const isPlain = typeof value === 'string' || typeof value === 'number';
    return [[field === '_id' ? '_id_' : field, isPlain ? value : JSON.stringify(value)]];
  });
  return JSON.stringify({
    ...{ version: '1.1', host, short_message: text, timestamp: time / 1000, level: levels[level] },
    ...Object.fromEntries(own),
  });
}

/** JSON as Logstash takes it of its inputs for http, tcp and udp. */
export const jsonOf = ({ time, requestId, context, ...rest }: LogMessage, host: string): string =>
  JSON.stringify({
    ...{ '@timestamp': new Date(time).toISOString(), '@version': '1', host, ...rest, request_id: requestId },
    ...context,
  });

/** A message in its bound: what is longer loses what goes along, then its end. */
export function withinBound(message: LogMessage, write: (message: LogMessage) => string): Buffer {
  for (const part of [
    message,
    { ...message, context: { _context: 'too long' } },
    { ...message, message: message.message.slice(0, 1_000), context: {} },
  ]) {
    const bytes = Buffer.from(write(part));
    if (bytes.length <= maxMessage) return bytes;
  }
  return Buffer.from(write({ ...message, message: 'too long', context: {} }));
}
