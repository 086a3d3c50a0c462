// Dates and times as a database writes them, changed in one part without touching the others. Pure.
import type { SimpleType } from '@sluice/contract';

/** Which parts of a moment a field holds. */
export type MomentKind = 'date' | 'time' | 'datetime';

export function momentKind(type: SimpleType): MomentKind | null {
  if (/_on_(create|update)$/.test(type)) return null;
  if (type === 'date') return 'date';
  if (type === 'time' || type === 'timetz') return 'time';
  return /^(datetime|timestamp)/.test(type) ? 'datetime' : null;
}

interface MomentParts {
  /** `2018-11-20`, or nothing. */
  date: string;
  /** What stands between date and time: a blank or a T. */
  between: string;
  /** `10:00` or `10:00:00`, or nothing. */
  time: string;
  /** Digits after the seconds, without the point. */
  fraction: string;
  /** `+02`, `-03:30`, `Z`, with the blank before it, or nothing. */
  zone: string;
}

const momentPattern =
  /^(?<date>\d{4}-\d\d-\d\d)?(?<between>[ T])?(?<time>\d\d:\d\d(?::\d\d)?)?(?:\.(?<fraction>\d+))?(?<zone>\s?(?:Z|[+-]\d\d(?::?\d\d)?))?$/;

/** The parts of a text; null when a picker cannot show it (`infinity`, a time of 30 hours). */
export function parseMoment(text: string): MomentParts | null {
  const groups = momentPattern.exec(text.trim())?.groups;
  if (!groups) return null;
  const { date = '', between = ' ', time = '', fraction = '', zone = '' } = groups;
  return { date, between, time, fraction, zone };
}

/** The text with another date; a moment without a time gets the beginning of the day. */
export function withDate(text: string, kind: MomentKind, date: string): string {
  const moment = parseMoment(text);
  if (kind === 'date') return date;
  if (!moment?.time) return `${date} 00:00:00`;
  return `${date}${moment.between}${moment.time}${suffixOf(moment)}`;
}

/** The text with another time, of the same precision and in the same zone. */
export function withTime(text: string, kind: MomentKind, time: string): string {
  const moment = parseMoment(text);
  // Pickers leave seconds of 0 out.
  const full = /^\d\d:\d\d$/.test(time) ? `${time}:00` : time;
  const rest = moment ? suffixOf({ ...moment, fraction: '0'.repeat(moment.fraction.length) }) : '';
  if (kind === 'time') return `${full}${rest}`;
  return moment?.date ? `${moment.date}${moment.between}${full}${rest}` : text;
}

const suffixOf = ({ fraction, zone }: MomentParts): string => `${fraction ? `.${fraction}` : ''}${zone}`;
