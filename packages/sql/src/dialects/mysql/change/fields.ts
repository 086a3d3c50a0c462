// What a field is to be, as the clauses of a column.
import { type FieldChange, type FieldDefinition, foldType } from '../../../change/index.ts';
import { nativeType } from '../types.ts';
import { type Clause, clausesOf, clauseText, withClause } from './column-text.ts';
import { defaultSql, quoteName } from './quoting.ts';
import { type TypeContext, type TypeWord, typeWord } from './type-words.ts';

/** A definition that says more than a type: what it says is not said twice. */
const saysNull = /\bnull\b/i;
const saysDefault = /\bdefault\b/i;

export interface NewColumn {
  clauses: Clause[];
  /** The type brings a key along (`id`). */
  isCountedKey: boolean;
}

/** The clauses of a new column. */
export function newColumn(field: FieldDefinition, context: TypeContext): NewColumn {
  if (field.sql !== undefined) return { clauses: clausesOf(field.sql), isCountedKey: false };
  const word = typeWord(field.type, context);
  let clauses = clausesOf(word.sql);
  const isCounted = field.isAutoIncrement || word.isCountedKey === true;
  if (!saysNull.test(word.sql)) {
    const isNullable = field.allowNull && !isCounted && !field.isPrimaryKey;
    clauses = withClause(clauses, 'nullability', isNullable ? 'null' : 'not null');
  }
  if (isCounted) clauses = withClause(clauses, 'autoIncrement', 'auto_increment');
  else if (!saysDefault.test(word.sql)) clauses = withDefault(clauses, field.default, word, context);
  return { clauses, isCountedKey: word.isCountedKey === true };
}

function withDefault(
  clauses: Clause[],
  value: FieldDefinition['default'],
  word: TypeWord,
  { facts }: TypeContext,
): Clause[] {
  // A fraction has to be that of the type.
  const now = `current_timestamp${/\(\d\)/.exec(word.sql)?.[0] ?? ''}`;
  const text = value ? defaultSql(value, !facts.isMariaDb && isLong(word.sql)) : word.isNow ? now : undefined;
  const defaulted = withMoment(clauses, 'default', text === undefined ? undefined : `default ${text}`);
  return withMoment(defaulted, 'onUpdate', word.isOnUpdate ? `on update ${now}` : undefined);
}

/** Puts a clause in place, unless the one there is says the same in the server's words: `current_timestamp()`. */
function withMoment(clauses: Clause[], kind: 'default' | 'onUpdate', text: string | undefined): Clause[] {
  const old = clauseText(clauses, kind);
  const isSame =
    old !== undefined &&
    old.toLowerCase().replace('()', '') === text &&
    /^(default|on update) current_timestamp/.test(text);
  return isSame ? clauses : withClause(clauses, kind, text);
}

/** MySQL gives such types a default in parentheses alone. */
const isLong = (type: string): boolean => /text|blob|^json|geometry|point|linestring|polygon/i.test(type);

const holdsText = (type: string): boolean => /char|text|^enum|^set/i.test(type);

/** The clauses of a column that changes: all that the change does not name stays as it is. */
export function changedClauses(
  clauses: readonly Clause[],
  name: string,
  change: FieldChange,
  context: TypeContext,
): Clause[] {
  if (change.sql !== undefined) return clausesOf(change.sql);
  let result = [...clauses];
  if (change.type) result = withType(result, name, typeWord(change.type, context), context);
  if (change.default !== undefined) result = withDefaultOf(result, change.default, context);
  if (change.isAutoIncrement !== undefined) result = withCounter(result, change.isAutoIncrement);
  if (change.allowNull !== undefined) result = withNullability(result, change.allowNull);
  return result;
}

function withDefaultOf(clauses: Clause[], value: FieldDefinition['default'], { facts }: TypeContext): Clause[] {
  const type = clauseText(clauses, 'type') ?? '';
  const text = value ? `default ${defaultSql(value, !facts.isMariaDb && isLong(type))}` : undefined;
  return withClause(clauses, 'default', text);
}

function withType(clauses: Clause[], name: string, word: TypeWord, context: TypeContext): Clause[] {
  const oldType = clauseText(clauses, 'type') ?? '';
  const [type, ...besides] = clausesOf(word.sql);
  if (/^json$/i.test(word.sql) && hasJsonCheck(clauses, name)) return clauses;
  const newType = type?.text ?? word.sql;
  let result = withClause(clauses, 'type', isSameType(oldType, newType) ? oldType : newType);
  if (!holdsText(word.sql) || /^json$/i.test(word.sql)) {
    result = withClause(result, 'charset', undefined);
    result = withClause(result, 'collation', undefined);
  }
  if (hasJsonCheck(result, name)) result = withClause(result, 'check', undefined);
  for (const { kind, text } of besides) result = withClause(result, kind, text);
  const isMoment = /^(timestamp|datetime)\b/i.test(word.sql);
  const wasNow = /^default current_timestamp/i.test(clauseText(result, 'default') ?? '');
  if (word.isNow) return withDefault(result, null, word, context);
  // Its automatic moments were part of the type it had.
  const leavesNow = wasNow && (/^timestamp\b/i.test(oldType) || !isMoment);
  if (leavesNow) result = withClause(result, 'default', undefined);
  if (leavesNow || !isMoment) result = withClause(result, 'onUpdate', undefined);
  return result;
}

/** MariaDB has no type for JSON but a check, which it gives such a column by itself. */
const hasJsonCheck = (clauses: readonly Clause[], name: string): boolean =>
  clauseText(clauses, 'check')?.toLowerCase() === `check (json_valid(${quoteName(name).toLowerCase()}))`;

function withCounter(clauses: Clause[], isCounted: boolean): Clause[] {
  if (!isCounted) return withClause(clauses, 'autoIncrement', undefined);
  const plain = withClause(withClause(clauses, 'default', undefined), 'nullability', 'not null');
  return withClause(plain, 'autoIncrement', 'auto_increment');
}

export function withNullability(clauses: Clause[], allowNull: boolean): Clause[] {
  const isComputed = clauseText(clauses, 'computed') !== undefined;
  // The server has no word for it in a column that it computes.
  if (isComputed) return clauses;
  const isNull = /^default null$/i.test(clauseText(clauses, 'default') ?? '');
  const plain = !allowNull && isNull ? withClause(clauses, 'default', undefined) : clauses;
  return withClause(plain, 'nullability', allowNull ? 'null' : 'not null');
}

export const isNullable = (clauses: readonly Clause[]): boolean =>
  !/^not\b/i.test(clauseText(clauses, 'nullability') ?? '');

const integers = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint'];
const texts = ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext'];
const bytes = ['varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'];

/**
 * Whether a column of another type holds the values of the first exactly, so that they come back when it is changed back. In strict mode the
 * server refuses values that are too large or too long for one that is smaller, so that inside of a family nothing is lost;
 * it rounds fractions, cuts blanks behind a `char`, and makes the best of everything else.
 */
export function keepsValues(from: string, to: string): boolean {
  const [old, next] = [nativeType(normalised(from)), nativeType(normalised(to))];
  if (old.text === next.text) return true;
  const both = (names: string[]) => names.includes(old.name) && names.includes(next.name);
  if (both(integers)) return true;
  if (both(texts)) return next.name !== 'char' || old.name === 'char';
  if (both(bytes)) return true;
  if (integers.includes(old.name)) return texts.includes(next.name) && next.name !== 'char';
  if (old.name === 'decimal' && next.name === 'decimal') return (next.scale ?? 0) >= (old.scale ?? 0);
  if (old.name !== next.name) return false;
  if (['datetime', 'timestamp', 'time'].includes(old.name)) return (next.length ?? 0) >= (old.length ?? 0);
  return false;
}

/** A type in the words the server shows it in. */
const normalised = (type: string): string =>
  foldType(type)
    .replace(/^integer\b/, 'int')
    .replace(/^(?:numeric|dec|fixed)\b/, 'decimal')
    .replace(/^bool(?:ean)?$/, 'tinyint(1)')
    .replace(/^decimal(?=$| )/, 'decimal(10,0)')
    .replace(/^decimal\((\d+)\)/, 'decimal($1,0)');

export const isSameType = (a: string, b: string): boolean => normalised(a) === normalised(b);
