// Whether bytes are a message that a directory sends (RFC 4511): all lengths fit, and its parts are those of its kind. The client
// library believes lengths, and reads on for ever where one says more than there is; it sees nothing that was not checked here.

interface Element {
  tag: number;
  /** Where its content begins and ends. */
  start: number;
  end: number;
}

const tags = { boolean: 0x01, integer: 0x02, octets: 0x04, enumerated: 0x0a, sequence: 0x30, set: 0x31 };
const operations = { bind: 0x61, entry: 0x64, done: 0x65, reference: 0x73, extended: 0x78 };
const controls = 0xa0;
const pagedResults = '1.2.840.113556.1.4.319';

/** How long the message is that bytes begin with, header included; undefined while too few are there. Throws where it is none. */
export function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes[0] !== tags.sequence) throw new Error('no message');
  const header = readLength(bytes, 1, bytes.length);
  return header && header.start + header.length;
}

/** Whether a whole message is one that may be looked at. */
export function isMessage(bytes: Buffer): boolean {
  try {
    const [message] = elementsOf(bytes, 0, bytes.length);
    const [id, operation, more, ...others] = elementsOf(bytes, message!.start, message!.end);
    require(isInteger(id) && operation && others.length === 0);
    require(!more || (more.tag === controls && isControls(bytes, more)));
    return isOperation(bytes, operation!);
  } catch {
    return false;
  }
}

function isOperation(bytes: Buffer, operation: Element): boolean {
  const parts = elementsOf(bytes, operation.start, operation.end);
  const [first, second, third] = parts;
  switch (operation.tag) {
    case operations.bind:
    case operations.done:
    case operations.extended:
      return first?.tag === tags.enumerated && isInteger(first) && isOctets(second) && isOctets(third);
    case operations.entry:
      return parts.length === 2 && isOctets(first) && second?.tag === tags.sequence && areAttributes(bytes, second);
    case operations.reference:
      return parts.every(isOctets);
    default:
      return false;
  }
}

const areAttributes = (bytes: Buffer, list: Element): boolean =>
  elementsOf(bytes, list.start, list.end).every((attribute) => {
    const [type, values, ...others] = elementsOf(bytes, attribute.start, attribute.end);
    const isPair = attribute.tag === tags.sequence && isOctets(type) && values?.tag === tags.set && others.length === 0;
    return isPair && elementsOf(bytes, values.start, values.end).every(isOctets);
  });

const isControls = (bytes: Buffer, list: Element): boolean =>
  elementsOf(bytes, list.start, list.end).every((control) => {
    const [type, ...rest] = elementsOf(bytes, control.start, control.end);
    const [critical, value, ...others] = rest[0]?.tag === tags.boolean ? rest : [undefined, ...rest];
    if (control.tag !== tags.sequence || !isOctets(type) || others.length > 0) return false;
    if (critical && critical.end - critical.start !== 1) return false;
    if (value && !isOctets(value)) return false;
    return bytes.toString('latin1', type.start, type.end) !== pagedResults || isPage(bytes, value);
  });

/** How many there are, and where the next page begins. */
function isPage(bytes: Buffer, value: Element | undefined): boolean {
  const [page] = value ? elementsOf(bytes, value.start, value.end) : [];
  const [count, cookie] = page?.tag === tags.sequence ? elementsOf(bytes, page.start, page.end) : [];
  return isInteger(count) && isOctets(cookie);
}

const isOctets = (element: Element | undefined): element is Element => element?.tag === tags.octets;
const isInteger = (element: Element | undefined): boolean => {
  const length = element ? element.end - element.start : 0;
  return (element?.tag === tags.integer || element?.tag === tags.enumerated) && length >= 1 && length <= 4;
};

function require(is: unknown): void {
  if (!is) throw new Error('no message');
}

/** What stands between two places, one behind the other without a rest. */
function elementsOf(bytes: Buffer, start: number, end: number): Element[] {
  const elements: Element[] = [];
  for (let at = start; at < end; ) {
    const header = readLength(bytes, at + 1, end);
    require(header && header.start + header.length <= end);
    elements.push({ tag: bytes[at] as number, start: header!.start, end: header!.start + header!.length });
    at = header!.start + header!.length;
  }
  return elements;
}

/** The length at a place, and where the content begins; undefined where it is not there yet. */
function readLength(bytes: Buffer, at: number, end: number): { length: number; start: number } | undefined {
  if (at >= end) return undefined;
  const first = bytes[at] as number;
  if (first < 0x80) return { length: first, start: at + 1 };
  const size = first & 0x7f;
  if (size === 0 || size > 4) throw new Error('no message');
  if (at + 1 + size > end) return undefined;
  return { length: bytes.readUIntBE(at + 1, size), start: at + 1 + size };
}
