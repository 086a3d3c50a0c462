// Reads XML as far as bodies need it: elements and their texts. Comments, instructions and attributes but for names of keys are read over (a visitor
// sees attributes), document types are refused. One pass, whose time and memory grow with the text whatever it holds.
import { isUtf8 } from 'node:buffer';
import { fail, nestingLimit } from '@sluice/contract';
import { bodyBounds } from './bounds.ts';
import { describePlace } from './place.ts';

interface Element {
  name: string;
  /** The name, or the key it stands for. */
  key: string;
  /** Undefined where it holds none: an empty CDATA section is the empty text. */
  text: string | undefined;
  isEncoded: boolean;
  /** By name; a name that comes again has a list. */
  children: Record<string, unknown> | undefined;
}

/**
 * The outermost element. The content of an element is its text, null where it holds nothing, or an object of its children with the text as `#text`.
 * Malformed XML is a 400 naming line and column.
 */
export const readXml = (text: string): { name: string; content: unknown } => new XmlReader(text).read();

/** Sees each element when its opening tag was read: its name and its attributes as they are written, references decoded. */
export type XmlVisitor = (name: string, attributes: ReadonlyMap<string, string>) => void;

/** Shows the elements of an XML to a visitor, within the bounds of `readXml`. What the visitor throws ends it. */
export const visitXml = (text: string, visit: XmlVisitor): void => void new XmlReader(text, visit).read();

class XmlReader {
  private readonly text: string;
  private at = 0;
  private readonly open: Element[] = [];
  private root: { name: string; content: unknown } | undefined;
  private readonly names = new Set<string>();
  private values = 0;
  /** Blanks behind a text: part of it when it goes on behind a comment. */
  private space: string | undefined;
  private readonly visit: XmlVisitor | undefined;

  constructor(text: string, visit?: XmlVisitor) {
    this.text = text;
    this.visit = visit;
  }

  read(): { name: string; content: unknown } {
    for (let tag = this.readText(); tag; tag = this.readText()) this.readMarkup();
    const unclosed = this.open.at(-1);
    if (unclosed) this.refuse(`the element "${unclosed.name}" is not closed.`);
    return this.root ?? this.refuse('there is no element.');
  }

  /** Text up to the next `<`; false when there is none. */
  private readText(): boolean {
    const bracket = this.text.indexOf('<', this.at);
    const end = bracket < 0 ? this.text.length : bracket;
    const raw = this.text.slice(this.at, end);
    const trimmed = raw.trim();
    if (trimmed !== '') {
      const start = raw.indexOf(trimmed);
      if (this.space !== undefined) this.addText(this.space + raw.slice(0, start));
      this.addText(trimmed.includes('&') ? this.decode(trimmed, this.at + start) : trimmed);
      this.space = raw.slice(start + trimmed.length);
    } else if (this.space !== undefined) this.space += raw;
    this.at = end;
    return bracket >= 0;
  }

  private readMarkup(): void {
    const { text, at } = this;
    if (text.startsWith('<!--', at)) {
      this.at = this.behind('-->', at + 4);
      return;
    }
    this.space = undefined;
    if (text[at + 1] === '/') this.readClosingTag();
    else if (text.startsWith('<?', at)) this.at = this.behind('?>', at + 2);
    else if (text.startsWith('<![CDATA[', at)) {
      const end = this.behind(']]>', at + 9);
      this.addText(text.slice(at + 9, end - 3));
      this.at = end;
    } else if (text.startsWith('<!', at)) this.refuse('document types are not accepted.');
    else this.readOpeningTag();
  }

  private readOpeningTag(): void {
    if (this.root) this.refuse('there is more than one outermost element.');
    this.at++;
    const name = this.readName();
    if (name === '__proto__') this.refuse(`no field can be named "${name}".`);
    this.count();
    const element: Element = { name, key: name, text: undefined, isEncoded: false, children: undefined };
    this.open.push(element);
    if (this.open.length > nestingLimit) throw fail('http.tooDeep', { format: 'XML', limit: nestingLimit });
    const attributes = this.visit && new Map<string, string>();
    this.readAttributes(element, attributes);
    if (attributes) this.visit?.(name, attributes);
    this.names.add(element.key);
    if (this.names.size > bodyBounds.names) throw fail('http.tooManyDifferentNames', { limit: bodyBounds.names });
    const isEmpty = this.text[this.at] === '/';
    this.at += isEmpty ? 2 : 1;
    if (isEmpty) this.close();
  }

  /** Up to the end of the tag. */
  private readAttributes(element: Element, attributes: Map<string, string> | undefined): void {
    const { text } = this;
    for (this.skipSpace(); text[this.at] !== '>' && !text.startsWith('/>', this.at); this.skipSpace()) {
      this.count();
      const attribute = this.readName();
      this.skipSpace();
      if (text[this.at] !== '=') this.refuse('an attribute has no value.');
      this.at++;
      this.skipSpace();
      const quote = text[this.at];
      if (quote !== '"' && quote !== "'") this.refuse('the value of an attribute has no quotation marks.');
      const start = this.at + 1;
      this.at = this.behind(quote as string, start);
      if (attributes) {
        attributes.set(attribute, this.decode(text.slice(start, this.at - 1), start));
        continue;
      }
      if (attribute === encodingAttribute) element.isEncoded = text.slice(start, this.at - 1) === 'base64';
      const isKey = attribute === 'name' && this.at - start <= maxKeyLength;
      const key = isKey ? this.decode(text.slice(start, this.at - 1), start) : element.name;
      // Other attributes of that name say something else.
      if (key !== '__proto__' && elementName(key) === element.name) element.key = key;
    }
  }

  private readClosingTag(): void {
    this.at += 2;
    const name = this.readName();
    if (name !== this.open.at(-1)?.name) this.refuse(`"${name}" is closed, but not open.`);
    this.skipSpace();
    if (this.text[this.at] !== '>') this.refuse(`the end of "${name}" has no ">".`);
    this.at++;
    this.close();
  }

  private close(): void {
    const { key: name, text, isEncoded, children } = this.open.pop() as Element;
    if (children && text) children['#text'] = text;
    const content = children ?? (isEncoded && text ? this.decodeBase64(text) : (text ?? null));
    const parent = this.open.at(-1);
    if (!parent) this.root = { name, content };
    else {
      parent.children ??= {};
      addChild(parent.children, name, content);
    }
  }

  private addText(piece: string): void {
    const element = this.open.at(-1);
    if (element) element.text = (element.text ?? '') + piece;
    else if (piece !== '') this.refuse('there is text outside of the element.');
  }

  private readName(): string {
    namePattern.lastIndex = this.at;
    const name = namePattern.exec(this.text)?.[0];
    if (name === undefined) return this.refuse('a name is missing.');
    if (name.length > maxNameLength) this.refuse(`a name is longer than ${maxNameLength} characters.`);
    this.at += name.length;
    return name;
  }

  private skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++;
  }

  private behind(mark: string, from: number): number {
    const start = this.text.indexOf(mark, from);
    return start < 0 ? this.refuse(`its end, ${mark}, is missing.`) : start + mark.length;
  }

  private count(): void {
    if (++this.values > bodyBounds.values) throw fail('http.tooManyValues', { limit: bodyBounds.values });
  }

  /** A text that stands at `start`, with characters in place of references. */
  private decode(raw: string, start: number): string {
    const pieces: string[] = [];
    let from = 0;
    for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', from)) {
      const [reference] = raw.slice(at, at + maxReferenceLength).split(';', 1) as [string];
      const character = characterOf(reference.slice(1));
      if (character === undefined || raw[at + reference.length] !== ';')
        return this.refuse('& begins no character that is known; & itself is &amp;.', start + at);
      pieces.push(raw.slice(from, at), character);
      from = at + reference.length + 1;
    }
    pieces.push(raw.slice(from));
    return pieces.join('');
  }

  private decodeBase64(text: string): string {
    const bytes = Buffer.from(text, 'base64');
    if (!isUtf8(bytes)) return this.refuse('the text of an element is no base64 of UTF-8.');
    return bytes.toString();
  }

  private refuse(problem: string, position = this.at): never {
    throw fail('http.malformed', { format: 'XML', where: describePlace(this.text, position), problem });
  }
}

/** Says that a text is encoded, with characters that XML has no way to write (contract/http-basics.md §6). */
export const encodingAttribute = 'text-encoding';

const maxNameLength = 255;
/** Of a key in an attribute, its references included. */
const maxKeyLength = 2000;
/** Reads one character more than a name may have, so that a longer one shows. */
const namePattern = /[\p{L}_:][\p{L}\p{M}\p{N}_:.·-]{0,255}/uy;

/** A key as an element name: what XML does not allow in a name becomes `_`. */
export function elementName(key: string): string {
  const name = key.replace(/[^\p{L}\p{N}_.-]/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function addChild(children: Record<string, unknown>, name: string, content: unknown): void {
  const present = Object.hasOwn(children, name) ? children[name] : undefined;
  if (present === undefined) children[name] = content;
  else if (Array.isArray(present)) present.push(content);
  else children[name] = [present, content];
}

/** Of `&#x10ffff;`. */
const maxReferenceLength = 10;
const characters = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** The character a reference stands for; `body` is what is between & and ; (XML 1.0 §4.1, §4.6). */
function characterOf(body: string): string | undefined {
  const [, decimal, hex] = /^#(?:(\d+)|x([\da-fA-F]+))$/.exec(body) ?? [];
  if (decimal === undefined && hex === undefined) return characters.get(body);
  const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
