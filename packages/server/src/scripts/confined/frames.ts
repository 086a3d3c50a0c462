// Frames: lines of JSON that a process writes, of which nothing has been checked. The script may have written them itself.
import type { Socket } from 'node:net';
import { isRecord } from '../../call/payload.ts';

/** What the program of a run asks of the server; `argument` is JSON. */
export interface CallFrame {
  kind: 'call';
  id: number;
  name: 'api' | 'get' | 'set' | 'log';
  argument: string;
}

/** What the run came to. */
export type OutcomeFrame =
  | { kind: 'done'; event: string; returned?: string }
  | { kind: 'thrown'; message: string; statusCode?: number; code?: number | string }
  | { kind: 'memory' | 'tooMuchResult' | 'noEvent' };

export type Frame = CallFrame | OutcomeFrame;

export interface FrameBounds {
  /** Bytes of a frame, of all frames, and how many there may be. */
  line: number;
  total: number;
  count: number;
}

export interface FrameHandlers {
  handle(frame: Frame): void;
  /** It is no frame, or too much: nothing more is read. */
  refuse(reason: 'malformed' | 'tooLong' | 'tooMany'): void;
}

/** Reads frames as they come; nothing after a refusal. */
export function readFrames(socket: Socket, bounds: FrameBounds, { handle, refuse }: FrameHandlers): void {
  let parts: Buffer[] = [];
  let length = 0;
  let total = 0;
  let count = 0;
  const stop = (reason: Parameters<typeof refuse>[0]) => {
    socket.removeListener('data', read);
    parts = [];
    socket.resume();
    refuse(reason);
  };
  const read = (chunk: Buffer) => {
    total += chunk.length;
    if (total > bounds.total) return stop('tooLong');
    let start = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, start)) {
      if (length + end - start > bounds.line) return stop('tooLong');
      parts.push(chunk.subarray(start, end));
      start = end + 1;
      count += 1;
      if (count > bounds.count) return stop('tooMany');
      const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      parts = [];
      length = 0;
      const frame = parseFrame(line.toString());
      if (!frame) return stop('malformed');
      handle(frame);
    }
    const rest = chunk.subarray(start);
    length += rest.length;
    if (length > bounds.line) return stop('tooLong');
    if (rest.length > 0) parts.push(rest);
  };
  socket.on('data', read);
}

const lineEnd = 0x0a;
const callNames = new Set<unknown>(['api', 'get', 'set', 'log']);

/** Undefined for what is none. */
export function parseFrame(text: string): Frame | undefined {
  const value = parse(text);
  if (!isRecord(value)) return undefined;
  const { kind, id, name, argument, event, returned, message, statusCode, code } = value;
  switch (kind) {
    case 'call':
      if (!Number.isSafeInteger(id) || !callNames.has(name) || typeof argument !== 'string') return undefined;
      return { kind, id: id as number, name: name as CallFrame['name'], argument };
    case 'done':
      if (!isObjectText(event) || !(returned === undefined || isJson(returned))) return undefined;
      return { kind, event: event as string, ...(returned === undefined ? {} : { returned: returned as string }) };
    case 'thrown':
      return {
        kind,
        message: typeof message === 'string' ? message : '',
        ...(typeof statusCode === 'number' ? { statusCode } : {}),
        ...(typeof code === 'number' || typeof code === 'string' ? { code } : {}),
      };
    case 'memory':
    case 'tooMuchResult':
    case 'noEvent':
      return { kind };
    default:
      return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for a text that is no JSON, which has no other way to say it. */
const isJson = (text: unknown) => typeof text === 'string' && parse(text) !== undefined;
const isObjectText = (text: unknown) => typeof text === 'string' && isRecord(parse(text));
