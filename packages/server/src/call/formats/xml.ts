// XML in and out (contract/http-basics.md §6).
import { fail, nestingLimit } from '@sluice/contract';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { RowStream } from '../reply.ts';

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
});

/** Element tree as an object: attributes dropped, the outer element taken off unless it is `resource`. */
export function parseXml(text: string): unknown {
  if (/<!DOCTYPE/i.test(text))
    throw fail('http.malformed', { format: 'XML', where: 'the start', problem: 'document types are not accepted.' });
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    const { line, col, msg } = valid.err;
    throw fail('http.malformed', { format: 'XML', where: `line ${line}, column ${col}`, problem: msg });
  }
  if (depthOf(text) > nestingLimit) throw fail('http.tooDeep', { format: 'XML', limit: nestingLimit });
  const tree = parseTree(text);
  const [outer, ...others] = Object.keys(tree);
  return outer !== undefined && others.length === 0 && outer !== 'resource' ? tree[outer] : tree;
}

/** Names such as `__proto__` pass the validator, but not the parser. */
function parseTree(text: string): Record<string, unknown> {
  try {
    return parser.parse(text);
  } catch (cause) {
    const problem = `${(cause as Error).message.slice(0, 200)}.`;
    throw fail('http.malformed', { format: 'XML', where: 'the names of its elements', problem }, { cause });
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of text.matchAll(/<[^!?][^>]*>/g)) {
    if (tag.startsWith('</')) depth--;
    else if (!tag.endsWith('/>')) deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}

/** `<dfapi>…</dfapi>`: items of a list repeat its key, null is an empty element, a bare list repeats `resource`. */
export function printXml(value: unknown): string {
  const inner = Array.isArray(value) ? printElement('resource', value) : printContent(value);
  return `${opening}${inner}${closing}`;
}

const [opening, closing] = ['<?xml version="1.0" ?>\n<dfapi>', '</dfapi>\n'];

/** As `printXml`, batch by batch. */
export async function* streamXml({ batches, meta }: RowStream): AsyncGenerator<string> {
  let count = 0;
  yield opening;
  for await (const rows of batches) {
    if (rows.count === 0) continue;
    yield printElement('resource', rows.list());
    count += rows.count;
  }
  const metaText = await meta(count);
  if (metaText !== '') yield printContent(JSON.parse(`{${metaText.slice(1)}}`));
  yield closing;
}

function printElement(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => printElement(name, item)).join('');
  const tag = elementName(name);
  return `<${tag}>${printContent(value)}</${tag}>`;
}

function printContent(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return printElement('item', value);
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, item]) => printElement(key, item))
      .join('');
  return escapeText(String(value));
}

/** A key as an element name: what XML does not allow in a name becomes `_`. */
function elementName(key: string): string {
  const name = key.replace(/[^\p{L}\p{N}_.-]/gu, '_');
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

function escapeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write these characters
  const writable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  return writable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}
