import { SluiceError } from './errors.ts';

// ---- Filters ----

/** A condition on records with the fields `F`; made by the functions below. */
export class Filter<F> {
  readonly #text: string;
  /** Not there: it ties the filter to its fields. */
  readonly of?: ((fields: F) => F) | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** As the server reads it, values quoted. */
  get text(): string {
    return this.#text;
  }
}

type NameOf<F> = keyof F & string;
type TextNameOf<F> = { [K in NameOf<F>]: Extract<F[K], string> extends never ? never : K }[NameOf<F>];
type ValueOf<F, N extends keyof F> = NonNullable<F[N]>;

/** A name in double quotes, one inside doubled: it may hold blanks, commas and words of the language. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Texts in quotes; of numbers only those that JSON has. */
function quoteValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${value.replaceAll("'", "''")}'`;
    case 'number':
      if (Number.isFinite(value)) return String(value);
      throw new SluiceError('input', `${value} cannot stand in a filter.`);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      throw new SluiceError('input', 'The value of a filter must be a text, a number or a boolean.');
  }
}

const compare = <F>(name: string, operator: string, value: unknown): Filter<F> =>
  new Filter(`(${quoteName(name)} ${operator} ${quoteValue(value)})`);

const listed = <F>(name: string, operator: string, values: readonly unknown[]): Filter<F> =>
  new Filter(`(${quoteName(name)} ${operator} (${values.map(quoteValue).join(',')}))`);

/** Equal; null: no value. */
export const eq = <F, N extends NameOf<F>>(name: N, value: F[N]): Filter<F> =>
  value === null ? isNull(name) : compare(name, '=', value);
/** Not equal; null: any value. */
export const ne = <F, N extends NameOf<F>>(name: N, value: F[N]): Filter<F> =>
  value === null ? isNotNull(name) : compare(name, '!=', value);
export const gt = <F, N extends NameOf<F>>(name: N, value: ValueOf<F, N>): Filter<F> => compare(name, '>', value);
export const gte = <F, N extends NameOf<F>>(name: N, value: ValueOf<F, N>): Filter<F> => compare(name, '>=', value);
export const lt = <F, N extends NameOf<F>>(name: N, value: ValueOf<F, N>): Filter<F> => compare(name, '<', value);
export const lte = <F, N extends NameOf<F>>(name: N, value: ValueOf<F, N>): Filter<F> => compare(name, '<=', value);
export const between = <F, N extends NameOf<F>>(name: N, low: ValueOf<F, N>, high: ValueOf<F, N>): Filter<F> =>
  new Filter(`(${quoteName(name)} between ${quoteValue(low)} and ${quoteValue(high)})`);
/** One of these; of none there is no record. */
export const isIn = <F, N extends NameOf<F>>(name: N, values: readonly ValueOf<F, N>[]): Filter<F> =>
  values.length > 0
    ? listed(name, 'in', values)
    : new Filter(`(${quoteName(name)} is null and ${quoteName(name)} is not null)`);
/** None of these. */
export const notIn = <F, N extends NameOf<F>>(name: N, values: readonly ValueOf<F, N>[]): Filter<F> =>
  values.length > 0
    ? listed(name, 'not in', values)
    : new Filter(`(${quoteName(name)} is null or ${quoteName(name)} is not null)`);
/** A pattern: `%` stands for any text, `_` for one letter. */
export const like = <F, N extends TextNameOf<F>>(name: N, pattern: string): Filter<F> => compare(name, 'like', pattern);
export const notLike = <F, N extends TextNameOf<F>>(name: N, pattern: string): Filter<F> =>
  compare(name, 'not like', pattern);
/** The three take `%` and `_` for patterns, too, as the server does. */
export const contains = <F, N extends TextNameOf<F>>(name: N, text: string): Filter<F> =>
  compare(name, 'contains', text);
export const startsWith = <F, N extends TextNameOf<F>>(name: N, text: string): Filter<F> =>
  compare(name, 'starts with', text);
export const endsWith = <F, N extends TextNameOf<F>>(name: N, text: string): Filter<F> =>
  compare(name, 'ends with', text);
export const isNull = <F, N extends NameOf<F>>(name: N): Filter<F> => new Filter(`(${quoteName(name)} is null)`);
export const isNotNull = <F, N extends NameOf<F>>(name: N): Filter<F> => new Filter(`(${quoteName(name)} is not null)`);

const join = <F>(word: string, filters: readonly Filter<F>[]): Filter<F> =>
  new Filter(`(${filters.map(({ text }) => text).join(` ${word} `)})`);

export const and = <F>(first: Filter<F>, ...others: Filter<F>[]): Filter<F> => join('and', [first, ...others]);
export const or = <F>(first: Filter<F>, ...others: Filter<F>[]): Filter<F> => join('or', [first, ...others]);
export const not = <F>(filter: Filter<F>): Filter<F> => new Filter(`(not ${filter.text})`);
