// The formats bodies come in and answers go out (contract/http-basics.md §6). A format is a file here and a line below.
import { Failure, fail, truthy } from '@sluice/contract';
import type { Call } from '../call.ts';
import type { RowStream } from '../reply.ts';
import { bodyBounds } from './bounds.ts';
import {
  csvPieces,
  parseCsv,
  printCsv,
  printSpreadsheetCsv,
  spreadsheetCsvPieces,
  streamCsv,
  streamSpreadsheetCsv,
} from './csv.ts';
import { parseForm } from './form.ts';
import { jsonPieces, parseJson, streamJson } from './json.ts';
import { parseXml, printXml, streamXml, xmlPieces } from './xml.ts';

/** Parsers by a word in the content type, tried in order. */
const parsers: [word: string, parse: (text: string, isForSpreadsheet: boolean) => unknown][] = [
  ['json', (text) => parseJson(text)],
  ['x-www-form-urlencoded', (text) => parseForm(text, bodyBounds.fields)],
  ['xml', parseXml],
  ['csv', parseCsv],
  ['text/plain', (text) => text],
];

/**
 * Parses a body by its content type; without a known one JSON, XML and CSV are tried. Empty is no payload. CSV for a
 * spreadsheet has prefixes, which are taken off.
 */
export function parseBody(text: string, contentType: string, isForSpreadsheet = false): unknown {
  if (text.trim() === '') return undefined;
  const type = contentType.toLowerCase();
  const reader = parsers.find(([word]) => type.includes(word));
  return reader ? reader[1](text, isForSpreadsheet) : parseUntyped(text, isForSpreadsheet);
}

/** The limits of a body sent without credentials; its names count wherever they are nested. */
export const anonymousLimits = { depth: 20, names: 200, values: 2_000 };

/** As `parseBody`, for a caller without credentials: JSON, also guessed where no type is given, or a form. */
export function parseStrangersBody(text: string, contentType: string): unknown {
  if (text.trim() === '') return undefined;
  const type = contentType.toLowerCase();
  if (type.includes('json')) return parseJson(text, anonymousLimits);
  if (type.includes('x-www-form-urlencoded')) return parseForm(text, anonymousLimits.names);
  if (type === '' && /^\s*[{[]/.test(text)) return parseJson(text, anonymousLimits);
  throw fail('http.unrecognizedPayload');
}

function parseUntyped(text: string, isForSpreadsheet: boolean): unknown {
  const start = text.trimStart()[0];
  if (start === '{' || start === '[') return parseJson(text);
  if (start === '<') return parseXml(text);
  try {
    if (text.trim().includes('\n')) return parseCsv(text, isForSpreadsheet);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  throw fail('http.unrecognizedPayload');
}

/** A format an answer can have. `print` of JSON is absent: values and finished texts are written elsewhere. */
export interface ReplyFormat {
  name: 'json' | 'xml' | 'csv';
  contentType: string;
  print?: (value: unknown, fields?: readonly string[]) => string;
  /** The text of a value in pieces that are printed quickly. */
  pieces: (value: unknown) => Iterable<string>;
  /** The same text piece by piece, for records that go out as they come. */
  stream: (rows: RowStream) => AsyncIterable<string>;
}

export const jsonFormat: ReplyFormat = {
  name: 'json',
  contentType: 'application/json; charset=utf-8',
  pieces: jsonPieces,
  stream: streamJson,
};
const xml: ReplyFormat = {
  name: 'xml',
  contentType: 'application/xml; charset=utf-8',
  print: printXml,
  pieces: xmlPieces,
  stream: streamXml,
};
const csv: ReplyFormat = {
  name: 'csv',
  contentType: 'text/csv; charset=UTF-8',
  print: printCsv,
  pieces: csvPieces,
  stream: streamCsv,
};
const spreadsheetCsv: ReplyFormat = {
  ...csv,
  print: printSpreadsheetCsv,
  pieces: spreadsheetCsvPieces,
  stream: streamSpreadsheetCsv,
};

const formatsByMediaType = new Map<string, ReplyFormat>(
  Object.entries({
    'application/json': jsonFormat,
    'application/xml': xml,
    'text/xml': { ...xml, contentType: 'text/xml; charset=utf-8' },
    'text/csv': csv,
    'text/plain': { ...jsonFormat, contentType: 'text/plain; charset=utf-8' },
  }),
);
const formatsByExtension = new Map<string, ReplyFormat>(Object.entries({ json: jsonFormat, xml, csv }));

/**
 * The format an `Accept` list asks for: JSON when it is missing or takes anything, else the last one we can make;
 * undefined when it names none of ours.
 */
export function negotiate(accept: string | undefined): ReplyFormat | undefined {
  if (!accept?.trim()) return jsonFormat;
  const types = accept.split(',').map((part) => (part.split(';')[0] ?? '').trim().toLowerCase());
  if (types.includes('*/*')) return jsonFormat;
  return types.map((type) => formatsByMediaType.get(type)).findLast((format) => format !== undefined);
}

/** What `file=` asks for: a download name and maybe a format of its own; a name without a dot is ignored. */
export function downloadOf(file: string | undefined, path: string): { name: string; format?: ReplyFormat } | undefined {
  if (!file) return undefined;
  if (file.toLowerCase() === 'true')
    return { name: safeName(`${path.replace(/\/$/, '') || 'download'}.json`), format: jsonFormat };
  const dot = file.lastIndexOf('.');
  if (dot < 0) return undefined;
  const format = formatsByExtension.get(file.slice(dot + 1).toLowerCase());
  return { name: safeName(file), ...(format ? { format } : {}) };
}

/** Keeps the end of a long name; cuts between characters, as half of one cannot be sent. */
const safeName = (name: string) =>
  Array.from(name.replace(/[^\p{L}\p{N}._ -]/gu, '_'))
    .slice(-maxNameLength)
    .join('');
const maxNameLength = 150;

/** Whether CSV of a call, sent or answered, is one a spreadsheet may open (`spreadsheet=true`). */
export const isForSpreadsheet = ({ query }: Pick<Call, 'query'>): boolean => truthy(query.get('spreadsheet'));

/** A format as this call wants it: CSV plain or for a spreadsheet; other formats have one variant. */
export const formatFor = (call: Pick<Call, 'query'>, format: ReplyFormat): ReplyFormat =>
  format === csv && isForSpreadsheet(call) ? spreadsheetCsv : format;
