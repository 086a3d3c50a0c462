// Values of one type as values of another, and which of them have none.
import type { MisfitProblem } from '../../../change/index.ts';
import { type NativeType, nativeType } from '../types.ts';

export interface Conversion {
  /** A value in the new type, sizes aside; undefined where the database needs no help. */
  using: ((value: string) => string) | undefined;
  /** Conditions that hold for values that would not fit. What cannot be told beforehand the database refuses. */
  misfits(value: string): { problem: MisfitProblem; condition: string }[];
}

const texts = new Set(['character varying', 'character', 'bpchar', 'text', 'name', '"char"']);
const whole: Readonly<Record<string, [string, string]>> = {
  smallint: ['-32768', '32767'],
  integer: ['-2147483648', '2147483647'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
};
const floats = new Set(['real', 'double precision']);

const isText = ({ name, isArray }: NativeType) => !isArray && texts.has(name);
const isWhole = ({ name, isArray }: NativeType) => !isArray && Object.hasOwn(whole, name);
const isFloat = ({ name, isArray }: NativeType) => !isArray && floats.has(name);
const isNumber = (type: NativeType) => isWhole(type) || isFloat(type) || (type.name === 'numeric' && !type.isArray);
const is = ({ name, isArray }: NativeType, wanted: string) => !isArray && name === wanted;

/**
 * How a column of one type becomes one of another, both as the database prints them. `canValidate`: the server knows
 * `pg_input_is_valid`, as 16 and newer do.
 */
export function conversionOf(fromText: string, toText: string, canValidate: boolean): Conversion {
  const [from, to] = [nativeType(fromText), nativeType(toText)];
  const using = usingOf(from, to);
  return {
    using,
    misfits: (value) => [
      ...wrongType(from, to, value, canValidate),
      ...tooLong(from, to, value, using?.(value) ?? value),
    ],
  };
}

function usingOf(from: NativeType, to: NativeType): Conversion['using'] {
  if (from.name === to.name && from.isArray === to.isArray) return undefined;
  const cast = `::${castName(to)}`;
  if (is(to, 'bytea') && isText(from)) return (value) => `convert_to(${value}::text, 'UTF8')`;
  if (is(from, 'bytea') && isText(to)) return (value) => `convert_from(${value}, 'UTF8')${cast}`;
  if (is(to, 'boolean') && isNumber(from)) return (value) => `${value} <> 0`;
  if (is(to, 'boolean') && is(from, 'bit') && from.length === 1) return (value) => `${value} = B'1'`;
  if (is(from, 'boolean') && isNumber(to)) return (value) => `${value}::integer${cast}`;
  if (is(from, 'boolean') && is(to, 'bit')) return (value) => `${value}::integer::bit(1)`;
  if (is(from, 'money') && (isWhole(to) || isFloat(to))) return (value) => `${value}::numeric${cast}`;
  if (is(to, 'money') && isFloat(from)) return (value) => `${value}::numeric${cast}`;
  if (isText(from)) return (value) => `${value}::text${cast}`;
  return (value) => `${value}${cast}`;
}

/** Without sizes: a cast that somebody writes cuts values, one of the database's own refuses them. */
function castName({ name, isArray }: NativeType): string {
  if (isArray) return `${name}[]`;
  if (name === 'character') return 'bpchar';
  return name === 'bit' ? 'bit varying' : name;
}

// Without a backslash: what one means in a text depends on the session.
const wholePattern = "'^[[:space:]]*[+-]?[0-9]+[[:space:]]*$'";
const numberPattern = "'^[[:space:]]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?[[:space:]]*$'";
/** Small enough that no number made of such a text overflows. */
const smallWholePattern = "'^[[:space:]]*[+-]?[0-9]{1,250}[[:space:]]*$'";
const smallNumberPattern =
  "'^[[:space:]]*[+-]?([0-9]{1,250}[.]?[0-9]{0,250}|[.][0-9]{1,250})(e[+-]?[0-9]{1,3})?[[:space:]]*$'";
const booleanWords =
  "('t', 'tr', 'tru', 'true', 'f', 'fa', 'fal', 'fals', 'false', 'y', 'ye', 'yes', 'n', 'no', 'on', 'of', 'off', '1', '0')";
const timeWords =
  "('infinity', '+infinity', '-infinity', 'epoch', 'now', 'today', 'tomorrow', 'yesterday', 'allballs')";
const uuidPattern = "'^([{]([0-9a-f]{4}-?){7}[0-9a-f]{4}[}]|([0-9a-f]{4}-?){7}[0-9a-f]{4})$'";

function wrongType(from: NativeType, to: NativeType, value: string, canValidate: boolean) {
  const text = `${value}::text`;
  const wrong = (condition: string): { problem: MisfitProblem; condition: string }[] => [
    { problem: 'wrongType', condition },
  ];
  if (isFloat(from) && isWhole(to)) return wrong(`${text} in ('NaN', 'Infinity', '-Infinity')`);
  if (is(from, 'numeric') && isWhole(to)) return wrong(`${text} in ('NaN', 'Infinity', '-Infinity')`);
  if (!isText(from) || isText(to) || is(to, 'bytea')) return [];
  if (canValidate) return wrong(`not pg_input_is_valid(${text}, '${castName(to)}')`);
  if (isWhole(to)) return wrong(`${text} !~ ${wholePattern}`);
  if (is(to, 'numeric') || isFloat(to))
    return wrong(
      `${text} !~* ${numberPattern} and lower(btrim(${text})) not in ('nan', 'infinity', '-infinity', 'inf', '-inf', '+infinity', '+inf')`,
    );
  if (is(to, 'boolean')) return wrong(`lower(btrim(${text}, E' \\t\\n\\r\\f\\v')) not in ${booleanWords}`);
  if (is(to, 'uuid')) return wrong(`${text} !~* ${uuidPattern}`);
  if (is(to, 'date') || /^(timestamp|time) /.test(to.name))
    return wrong(`${text} !~ '[0-9]' and lower(btrim(${text})) not in ${timeWords}`);
  return [];
}

function tooLong(from: NativeType, to: NativeType, value: string, converted: string) {
  const long = (condition: string): { problem: MisfitProblem; condition: string }[] => [
    { problem: 'tooLong', condition },
  ];
  const number = numberOf(from, to, value);
  if (isWhole(to) && number !== undefined && !isNarrower(from, to)) {
    const [min, max] = whole[to.name] as [string, string];
    return long(`${number} not between ${min} and ${max} or ${number} <> trunc(${number})`);
  }
  if (is(to, 'numeric') && to.length !== null && number !== undefined) {
    const scale = to.scale ?? 0;
    return long(
      `abs(round(${number}, ${scale})) >= 1e${to.length - scale}::numeric or ${number} <> round(${number}, ${scale})`,
    );
  }
  // Blanks at the end are cut without a word.
  if (isText(to) && to.length !== null && !is(from, 'bytea'))
    return long(`char_length(rtrim(${converted}::text, ' ')) > ${to.length}`);
  return [];
}

/** Every value of the one fits the other. */
const isNarrower = (from: NativeType, to: NativeType) => {
  const names = Object.keys(whole);
  return isWhole(from) && names.indexOf(from.name) <= names.indexOf(to.name);
};

/** The value as an exact number, null where it is none. */
function numberOf(from: NativeType, to: NativeType, value: string): string | undefined {
  if (isWhole(from)) return `${value}::numeric`;
  if (is(from, 'numeric') || isFloat(from))
    return `(case when ${value}::text not in ('NaN', 'Infinity', '-Infinity') then ${value}::numeric end)`;
  if (is(from, 'money')) return `${value}::numeric`;
  if (!isText(from)) return undefined;
  const pattern = isWhole(to) ? smallWholePattern : smallNumberPattern;
  return `(case when ${value}::text ~* ${pattern} then ${value}::text::numeric end)`;
}
