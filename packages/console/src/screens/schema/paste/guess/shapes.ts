// Texts as values of types: which texts fit a type, and what is sent for them. Pure.

/** The types one can choose from. `id` counts by itself. */
export const columnTypes = [
  'id',
  'string',
  'text',
  'integer',
  'bigint',
  'decimal',
  'double',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
] as const;
export type ColumnType = (typeof columnTypes)[number];

/** Which sign of a number stands before its fraction. */
export type DecimalMark = '.' | ',';

/** What is sent: numbers that JSON carries exactly as such, others as text. */
export type SentValue = string | number | boolean;

const wholeNumber = /^-?(?:0|[1-9]\d*)$/;
const decimalNumber = /^-?(?:0|[1-9]\d*)\.\d+$/;
const anyNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const commaNumber = /^-?(?:0|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d*),\d+$/;
const groupedNumber = /^-?[1-9]\d{0,2}(?:\.\d{3})+$/;
const isoDate = /^(\d{4})-(\d\d)-(\d\d)$/;
const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const clockTime = /^(\d\d?):(\d\d)(?::(\d\d)(\.\d{1,6})?)?$/;
const moment = /^(\S+?)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?$/;

const yesWords = new Set(['true', 'yes', 'ja', 'oui', 'si', 'wahr']);
const noWords = new Set(['false', 'no', 'nein', 'non', 'falsch']);

const maxInteger = 2n ** 31n - 1n;
const maxBigint = 2n ** 63n - 1n;

/** Whether a text is how the database writes a whole number: `007` and `+7` are not. */
export const isWholeNumber = (text: string): boolean => wholeNumber.test(text);
export const isDecimalNumber = (text: string): boolean => decimalNumber.test(text);
export const isNumber = (text: string): boolean => anyNumber.test(text);
/** A number as it is written with a comma before the fraction: `1.234,5`. */
export const isCommaNumber = (text: string): boolean => commaNumber.test(text);
/** A whole number as it is written where a comma stands before fractions: `1.234`. */
export const isGroupedNumber = (text: string): boolean => groupedNumber.test(text);
export const isUuid = (text: string): boolean => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text);
export const hasZone = (text: string): boolean => moment.exec(text)?.[3] !== undefined;

/** Whether a text stands for a missing value where the others of its column have a type of their own. */
export const isNullWord = (text: string): boolean => text === 'NULL' || text === '\\N';

const inRange = (text: string, max: bigint): boolean => {
  if (text.length > 20) return false;
  const value = BigInt(text);
  return value <= max && value >= -max - 1n;
};

function toDate(text: string): string | null {
  const iso = isoDate.exec(text);
  const dotted = iso ? null : dottedDate.exec(text);
  const [year, month, day] = iso ? iso.slice(1) : dotted ? [dotted[3], dotted[2], dotted[1]] : [];
  if (!year || !month || !day) return null;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Years below 100 would be read as those of the last century.
  if (Number(year) < 100 || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function toTime(text: string): string | null {
  const [, hours = '', minutes = '', seconds = '00', fraction = ''] = clockTime.exec(text) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}${fraction}`;
}

/** A moment without a time zone; one with a zone becomes that of UTC, a day its beginning. */
function toDatetime(text: string): string | null {
  const [, day, clock = '', zone] = moment.exec(text) ?? [];
  if (day === undefined) {
    const date = toDate(text);
    return date && `${date} 00:00:00`;
  }
  const date = toDate(day);
  const time = toTime(clock.replace(/(\.\d{6})\d+$/, '$1'));
  if (!date || !time) return null;
  return zone === undefined ? `${date} ${time}` : toUtc(date, time, zone);
}

function toUtc(date: string, time: string, zone: string): string | null {
  const [whole, fraction] = time.split('.');
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3) || '00'}`;
  const utc = Date.parse(`${date}T${whole}${offset}`);
  if (Number.isNaN(utc)) return null;
  return `${new Date(utc).toISOString().slice(0, 19).replace('T', ' ')}${fraction ? `.${fraction}` : ''}`;
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const withPoint = (text: string, mark: DecimalMark): string =>
  mark === ',' && (commaNumber.test(text) || groupedNumber.test(text))
    ? text.replaceAll('.', '').replace(',', '.')
    : text;

const toWhole = (text: string, max: bigint): SentValue | null => {
  if (!wholeNumber.test(text) || !inRange(text, max)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

function toBoolean(text: string): boolean | null {
  const word = text.toLowerCase();
  if (yesWords.has(word) || word === '1') return true;
  return noWords.has(word) || word === '0' ? false : null;
}

/** Whether a text says yes or no in a word; `0` and `1` may as well be numbers. */
export const isBooleanWord = (text: string): boolean =>
  yesWords.has(text.toLowerCase()) || noWords.has(text.toLowerCase());

/** What is sent for a text in a column of a type; null when it does not fit. */
export function parseAs(text: string, type: ColumnType, mark: DecimalMark = '.'): SentValue | null {
  if (type === 'string' || type === 'text') return text;
  const trimmed = text.trim();
  if (type === 'id' || type === 'integer') return toWhole(trimmed, maxInteger);
  if (type === 'bigint') return toWhole(trimmed, maxBigint);
  if (type === 'boolean') return toBoolean(trimmed);
  if (type === 'date') return toDate(trimmed);
  if (type === 'time') return toTime(trimmed);
  if (type === 'datetime') return toDatetime(trimmed);
  if (type === 'json') return isJson(trimmed) ? trimmed : null;
  const number = withPoint(trimmed, mark);
  if (type === 'decimal') return wholeNumber.test(number) || decimalNumber.test(number) ? number : null;
  return anyNumber.test(number) && Number.isFinite(Number(number)) ? Number(number) : null;
}

/** Digits before and behind the decimal mark. */
export function digitsOf(text: string, mark: DecimalMark): { whole: number; fraction: number } {
  const [whole = '', fraction = ''] = withPoint(text.trim(), mark).replace('-', '').split('.');
  return { whole: whole.length, fraction: fraction.length };
}
