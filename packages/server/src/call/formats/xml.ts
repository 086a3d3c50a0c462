// XML in and out (contract/http-basics.md §6).
import type { RowStream } from '../reply.ts';
import { hasParts, isShort, joinParts } from './short.ts';
import { elementName, encodingAttribute, readXml } from './xml-reader.ts';

/** Element tree as an object: attributes dropped but that of an encoded text and the name of a key, an element of nothing is null, the outer element taken off unless it is `resource`. */
export function parseXml(text: string): unknown {
  const { name, content } = readXml(text);
  return name === 'resource' ? { resource: content } : content;
}

/** `<dfapi>…</dfapi>`: items of a list repeat its key, null is an empty element, the empty text an empty CDATA section, a bare list repeats `resource`. */
export const printXml = (value: unknown): string => [...xmlPieces(value)].join('');

/** As `printXml`, in pieces: where it is long one for each item or member. */
export function* xmlPieces(value: unknown): Generator<string> {
  yield opening;
  yield* Array.isArray(value) ? elementPieces('resource', value) : contentPieces(value);
  yield closing;
}

function* elementPieces(name: string, value: unknown): Generator<string> {
  if (isShort(value)) yield printElement(name, value);
  else if (Array.isArray(value)) for (const item of value) yield* elementPieces(name, item);
  else {
    const tag = elementName(name);
    yield `<${tag}${nameAttribute(name, tag)}${encodingOf(value)}>`;
    yield* contentPieces(value);
    yield `</${tag}>`;
  }
}

function* contentPieces(value: unknown): Generator<string> {
  if (isShort(value) || !hasParts(value)) yield printContent(value);
  else if (Array.isArray(value)) yield* elementPieces('item', value);
  else for (const [key, item] of Object.entries(value)) yield* elementPieces(key, item);
}

const [opening, closing] = ['<?xml version="1.0" ?>\n<dfapi>', '</dfapi>\n'];

/** As `printXml`, batch by batch. */
export async function* streamXml({ batches, meta }: RowStream): AsyncGenerator<string> {
  let count = 0;
  yield opening;
  for await (const rows of batches) {
    if (rows.count === 0) continue;
    const list = rows.list();
    if (isShort(list)) yield printElement('resource', list);
    else yield* joinParts(elementPieces('resource', list));
    count += rows.count;
  }
  const metaText = await meta(count);
  if (metaText !== '') yield printContent(JSON.parse(`{${metaText.slice(1)}}`));
  yield closing;
}

function printElement(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => printElement(name, item)).join('');
  const tag = elementName(name);
  return `<${tag}${nameAttribute(name, tag)}${encodingOf(value)}>${printContent(value)}</${tag}>`;
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write these characters
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** The key itself where the tag does not say it; import reads it from there. */
const nameAttribute = (key: string, tag: string): string =>
  key === tag || unwritable.test(key) ? '' : ` name="${escapeAttribute(key)}"`;

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The attribute of an element whose text XML cannot carry: it holds base64 of UTF-8. */
const encodingOf = (value: unknown): string =>
  typeof value === 'string' && unwritable.test(value) ? ` ${encodingAttribute}="base64"` : '';

/** Keeps the empty text apart from null, and blanks at both ends apart from those of the layout. */
function escapeText(text: string): string {
  if (text === '') return '<![CDATA[]]>';
  if (unwritable.test(text)) return Buffer.from(text).toString('base64');
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escapeEnds(escaped.replaceAll('\r', '&#13;'));
}

function escapeEnds(text: string): string {
  const inner = text.trim();
  if (inner.length === text.length) return text;
  const start = text.length - text.trimStart().length;
  return `${escapeBlanks(text.slice(0, start))}${inner}${escapeBlanks(text.slice(start + inner.length))}`;
}

const escapeBlanks = (blanks: string): string => Array.from(blanks, (blank) => `&#${blank.charCodeAt(0)};`).join('');
