// What servers say in English, in the reader's language: service types and the fields of their configuration by name, messages by
// their text, and so are texts of API documents. What is not known stays in the words of the server, so that any server's words are shown. English readers always get those.
import type { FieldDescriptor, ServiceTypeRecord, WordsByType } from '@sluice/contract';

export interface ServiceTypesWords {
  groups: Readonly<Record<string, string>>;
  types: WordsByType;
  keyValue: Readonly<Record<string, string>>;
}

/** An English message with its {{blanks}}, and the same in another language. */
export type MessageWords = readonly (readonly [english: string, translation: string])[];

export interface ServerWords {
  serviceTypes: ServiceTypesWords;
  messages: MessageWords;
  /** Texts of documents: operations, parameters, answers. */
  operations: Readonly<Record<string, string>>;
}

let words: ServerWords | null = null;
let patterns: MessagePattern[] = [];

/** The words of the chosen language; null for English. */
export const setServerWords = (next: ServerWords | null): void => {
  words = next;
  // Of templates that both fit, the one with more letters of its own says more.
  patterns = (next?.messages ?? []).map(patternOf).sort((one, other) => other.weight - one.weight);
};

const wordOf = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table && Object.hasOwn(table, name) ? table[name] : undefined;

// ---- service types ----

/** A group of service types. */
export const groupText = (group: string): string => wordOf(words?.serviceTypes.groups, group) ?? group;

/** The label of a service type. */
export const typeText = (name: string, label: string): string =>
  wordOf(words?.serviceTypes.types, name)?.label ?? label;

/** A service type with its words and those of its configuration; what code goes by stays as it is. */
export const translateType = <T extends ServiceTypeRecord>(type: T): T =>
  words
    ? {
        ...type,
        label: typeText(type.name, type.label),
        description: wordOf(words.serviceTypes.types, type.name)?.description ?? type.description,
        config_schema: type.config_schema?.map((field) => translateField(type.name, field)) ?? null,
      }
    : type;

const translateField = (type: string, field: FieldDescriptor): FieldDescriptor => {
  const { types, keyValue } = words!.serviceTypes;
  const known = wordOf(wordOf(types, type)?.fields, field.name);
  const { object, items } = field;
  return {
    ...field,
    ...(known ? { label: known.label } : {}),
    ...(known?.description && field.description ? { description: known.description } : {}),
    ...(known?.legend && field.legend ? { legend: known.legend } : {}),
    ...(object
      ? {
          object: {
            key: { ...object.key, label: wordOf(keyValue, object.key.label) ?? object.key.label },
            value: { ...object.value, label: wordOf(keyValue, object.value.label) ?? object.value.label },
          },
        }
      : {}),
    ...(Array.isArray(items)
      ? { items: items.map((item) => ({ ...item, label: wordOf(known?.items, item.name) ?? item.label ?? '' })) }
      : {}),
  };
};

// ---- messages ----

interface MessagePattern {
  english: RegExp;
  /** The blanks of the English one, in their order. */
  blanks: string[];
  translation: string;
  weight: number;
}

/** Longer than any message of ours; more is not searched. */
const maxMessageLength = 2000;
const blank = /\{\{(\w+)\}\}/g;

const patternOf = ([english, translation]: readonly [string, string]): MessagePattern => {
  const literals = english.split(/\{\{\w+\}\}/);
  return {
    english: new RegExp(`^${literals.map(toPattern).join('([\\s\\S]*?)')}$`),
    blanks: [...english.matchAll(blank)].map(([, name]) => name!),
    translation,
    weight: literals.join('').length,
  };
};

/** API documents have a message of several lines on one. */
const toPattern = (literal: string): string =>
  literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\n', '[\\n ]');

/** Blanks that hold messages themselves, and what stands between several of them. */
const nested = new Map([
  ['text', '\n'],
  ['problem', '\n'],
  ['reason', '\n'],
  ['problems', '; '],
  ['messages', '. '],
]);
const maxNesting = 2;

/** A message of the server in the reader's language; in the words of the server where it is not known. */
export const serverText = (message: string, depth = 0): string => {
  if (message.length > maxMessageLength || patterns.length === 0) return message;
  for (const { english, blanks, translation } of patterns) {
    const match = english.exec(message);
    if (!match) continue;
    const values = new Map(blanks.map((name, index) => [name, translateBlank(name, match[index + 1] ?? '', depth)]));
    return translation.replace(blank, (whole, name: string) => values.get(name) ?? whole);
  }
  return message;
};

const translateBlank = (name: string, value: string, depth: number): string => {
  const separator = nested.get(name);
  if (separator === undefined || depth >= maxNesting) return value;
  // Sentences keep their full stops.
  const parts = separator === '. ' ? value.split(/(?<=\.) (?=[A-Z])/) : value.split(separator);
  return parts.map((part) => serverText(part, depth + 1)).join(separator === '. ' ? ' ' : separator);
};

// ---- documents ----

/** A text of an API document; that of a table's own operation begins with the name of the table. */
export const operationText = (text: string): string => {
  if (!words) return text;
  const whole = wordOf(words.operations, text);
  if (whole !== undefined) return whole;
  // The last colon: names may hold some.
  const start = text.lastIndexOf(': ') + 2;
  const rest = start < 2 ? undefined : wordOf(words.operations, text.slice(start));
  return rest === undefined ? text : `${text.slice(0, start)}${rest}`;
};

/** What an answer of an API document is: an error in each line, `{name}` where a value stands. */
export const answerText = (text: string): string =>
  text
    .split('\n')
    .map((line) => wordOf(words?.operations, line) ?? serverText(line))
    .join('\n');
