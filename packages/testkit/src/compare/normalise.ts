// Takes out of the answers of one server what must differ from one run to the next, and nothing else: each rule goes by
// a place or by a value that this server is known to have made. Equal values become equal placeholders, named after the
// call that first showed them, so that what is the same thing in one run has to be the same thing in the other.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Recording } from './record.ts';
import type { Answer } from './send.ts';

/** An answer as it is compared. */
export interface NormalAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What is a server's own by how it was started. */
export interface OwnFacts {
  /** `http://127.0.0.1:34567`. */
  url: string;
  /** Texts of this run, such as folders and names of databases, with what stands for them. */
  texts: readonly (readonly [text: string, placeholder: string])[];
  /** An API key that was given to it, and so is the same on every server. */
  fixedKey: string;
  startedAt: number;
}

/** Headers that tell of the moment or of the connection. */
const transientHeaders = new Set(['date', 'connection', 'keep-alive']);

/** To the millisecond, which tells in which call it was taken. */
const moments = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** As databases write it, in UTC. */
const databaseMoments = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?\b/g;
const expiries = /(?<="token_expiry_date":"|<token_expiry_date>)[^"<]+/g;
const sessionTokens = /\beyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/g;
/** Where an API key stands in JSON and XML; anywhere else it has to be known from there. */
const apiKeys = /(?<="api_key":"|<api_key>)[0-9a-f]{64}(?=["<])/g;
const requestIds = /(?<="request_id":"|<request_id>)[^"<]+/g;
const nonces = /(?<='nonce-)[A-Za-z0-9+/=]+(?=')/g;
/** The version of a record: how often it was changed, and when it was made. */
const recordVersion = /^("\d+-)(\d{13})"$/;

/** The databases' clocks and ours need not be one. */
const databaseTolerance = 2_000;

/** Where in the run an answer stands. */
interface Place {
  call: number;
  endedAt: number;
  /** Values that this answer alone shows, with their placeholders. */
  own: (readonly [value: string, placeholder: string])[];
  hasRequestId: boolean;
}

/** Normalises the answers of one server, in the order of its calls. */
export class Normaliser {
  private readonly facts: OwnFacts;
  private readonly texts: OwnFacts['texts'];
  /** When each call began, to find the one a time was taken in. */
  private readonly starts: number[] = [];
  private readonly tokens = new Placeholders('token');
  private readonly keys = new Placeholders('API key');
  private readonly nonces = new Placeholders('nonce');
  private readonly requestIds = new Placeholders('request id');

  constructor(facts: OwnFacts) {
    this.facts = facts;
    this.texts = [[facts.url, '<url>'], [new URL(facts.url).host, '<host>'], ...facts.texts];
  }

  /** The answer as it is compared; undefined for a call that could not be made. */
  normalise({ call: { only }, startedAt, endedAt, answer }: Recording): NormalAnswer | undefined {
    const call = this.starts.push(startedAt);
    if (!answer) return undefined;
    const id = answer.headers['x-request-id'];
    const nonce = answer.headers['content-security-policy']?.match(nonces)?.[0];
    const place: Place = { call, endedAt, own: [], hasRequestId: id !== undefined };
    if (id) place.own.push([id, this.requestIds.name(id, call)]);
    if (nonce) place.own.push([nonce, this.nonces.name(nonce, call)]);
    const text = answerText(answer);
    const whole =
      text === undefined ? `<${answer.body.length} bytes, ${digest(answer.body)}>` : this.clean(text, place);
    const body = only === 'figures' ? figuresOf(whole) : whole;
    const headers = Object.entries(answer.headers)
      .filter(([name]) => !transientHeaders.has(name))
      .map(([name, value]) => {
        if (name === 'etag') return [name, this.cleanVersion(value, place)];
        if (name === 'content-length') return [name, cleanLength(value, answer, text !== undefined && body !== text)];
        return [name, this.clean(value, place)];
      });
    return { status: answer.status, headers: Object.fromEntries(headers), body };
  }

  private clean(original: string, { call, endedAt, own, hasRequestId }: Place): string {
    let text = original;
    for (const [value, placeholder] of [...own, ...this.texts]) text = text.replaceAll(value, placeholder);
    const tokensByExpiry = new Map<string, string>();
    text = text.replace(sessionTokens, (token, claims: string) => {
      const isNew = !this.tokens.has(token);
      const name = this.tokens.name(token, call);
      tokensByExpiry.set(expiryOf(claims), name);
      return isNew ? `${name.slice(0, -1)}: ${this.claims(token, call)}>` : name;
    });
    text = text.replace(expiries, (time) => {
      const token = tokensByExpiry.get(time);
      return token === undefined ? time : `<when ${token.slice(1, -1)} expires>`;
    });
    // An id that no header told is right only where there is no such header, on a bare socket.
    const unknownId = hasRequestId ? '<unknown request id>' : '<request id>';
    text = text.replace(requestIds, (id) => (id.startsWith('<') ? id : (this.requestIds.get(id) ?? unknownId)));
    text = text.replace(apiKeys, (key) => (key === this.facts.fixedKey ? key : this.keys.name(key, call)));
    for (const [key, name] of this.keys.all()) text = text.replaceAll(key, name);
    text = text.replace(moments, (time) => this.callOf(Date.parse(time), endedAt) ?? time);
    return text.replace(databaseMoments, (whole, day: string, time: string, fraction = '') => {
      const isNow = this.isDuringRun(Date.parse(`${day}T${time}${fraction.slice(0, 4)}Z`), endedAt);
      return isNow ? `<now${fraction === '' ? '' : ' with a fraction'}>` : whole;
    });
  }

  private cleanVersion(etag: string, { endedAt }: Place): string {
    return etag.replace(recordVersion, (whole, version: string, time: string) => {
      const call = this.callOf(Number(time), endedAt);
      return call === undefined ? whole : `${version}${call}"`;
    });
  }

  /** What a token says, its times as minutes from now. */
  private claims(token: string, call: number): string {
    const [head = '', claims = '', signature = ''] = token.split('.');
    const now = this.starts[call - 1]!;
    const texts = Object.entries({ ...decoded(head), ...decoded(claims) }).map(([name, value]) => {
      if (name === 'jti') return name;
      if (/^(iat|nbf|exp)$/.test(name)) return `${name} ${Math.round((Number(value) * 1000 - now) / 60_000)} minutes`;
      return `${name} ${String(value).replaceAll(this.facts.url, '<url>')}`;
    });
    return [...texts, `signature of ${signature.length}`].join(', ');
  }

  /** The call a time was taken in; undefined for one that is not of this run. */
  private callOf(time: number, endedAt: number): string | undefined {
    if (!(time >= this.facts.startedAt && time <= endedAt)) return undefined;
    const call = this.starts.findLastIndex((start) => start <= time) + 1;
    return call === 0 ? '<time of the start>' : `<time of call ${call}>`;
  }

  private isDuringRun(time: number, endedAt: number): boolean {
    return time >= this.facts.startedAt - databaseTolerance && time <= endedAt + databaseTolerance;
  }
}

/** Values of one kind that a server makes, with their placeholders. */
class Placeholders {
  private readonly kind: string;
  private readonly names = new Map<string, string>();
  /** How many were first seen in a call. */
  private readonly counts = new Map<number, number>();

  constructor(kind: string) {
    this.kind = kind;
  }

  has(value: string): boolean {
    return this.names.has(value);
  }

  get(value: string): string | undefined {
    return this.names.get(value);
  }

  all(): Iterable<[value: string, name: string]> {
    return this.names;
  }

  /** The placeholder of a value, made when it is first seen: `<token of call 12>`, of the next one there `<token 2 of call 12>`. */
  name(value: string, call: number): string {
    const existing = this.names.get(value);
    if (existing !== undefined) return existing;
    const count = (this.counts.get(call) ?? 0) + 1;
    this.counts.set(call, count);
    const name = `<${this.kind}${count === 1 ? '' : ` ${count}`} of call ${call}>`;
    this.names.set(value, name);
    return name;
  }
}

/** A length that is the body's own is that in any run; placeholders may stand for values of another length. */
function cleanLength(length: string, { status, headers, body }: Answer, isCleaned: boolean): string {
  if (isCleaned && Number(length) === body.length) return '<that of the body>';
  const id = headers['x-request-id'];
  // HEAD leaves the body of a refusal out, which holds the request id.
  if (body.length === 0 && status >= 400 && id) return `${Number(length) - id.length} and the request id`;
  return length;
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The body as text; undefined when it is compressed or no text. */
const answerText = ({ headers, body }: Answer): string | undefined =>
  headers['content-encoding'] === undefined && isUtf8(body) ? body.toString('utf8') : undefined;

function decoded(part: string): Record<string, unknown> {
  const text = Buffer.from(part, 'base64url').toString();
  try {
    return JSON.parse(text);
  } catch {
    return { unreadable: text };
  }
}

/** When a token expires as an answer tells it, to the second. */
function expiryOf(claims: string): string {
  const { exp } = decoded(claims);
  return typeof exp === 'number' ? new Date(exp * 1000).toISOString().replace('.000Z', 'Z') : '';
}

/** Of a page of metrics its figures without their values; what tells of the process, not of Sluice, without its labels. */
function figuresOf(page: string): string {
  const lines = page.split('\n').map((line) => {
    if (line.startsWith('#')) return line;
    const [, name = '', labels = ''] = /^([^ {]*)(\{.*\})?/.exec(line) ?? [];
    return name.startsWith('sluice_') ? name + labels : name;
  });
  return [...new Set(lines)].join('\n');
}
