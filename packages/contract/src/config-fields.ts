// The words in which a service type describes its config (contract/service-types.md §2). One definition gives the
// wire's config_schema, the console's form, the validator and the TypeScript type of the config.

/** The widgets of a config field; the console draws each (console/src/fields). */
export type ConfigFieldType =
  | 'string'
  | 'text'
  | 'password'
  | 'integer'
  | 'boolean'
  | 'picklist'
  | 'multi_picklist'
  | 'reference'
  | 'array'
  | 'object'
  | 'file_certificate'
  | 'event_picklist'
  | 'verb_mask'
  | 'grouped_picklist';

export interface PickValue {
  label: string;
  name: string | number | null;
  [extra: string]: unknown;
}

/** A field as `config_schema` lists it. Foreign servers leave keys out: only name and type are certain. */
export interface FieldDescriptor {
  name: string;
  label?: string;
  type: ConfigFieldType;
  description?: string;
  default?: unknown;
  required?: boolean;
  allow_null?: boolean;
  values?: (PickValue | { label: string; name: string; values: PickValue[] })[];
  items?: 'string' | FieldDescriptor[];
  object?: { key: { label: string; type: string }; value: { label: string; type: string } };
  columns?: number;
  legend?: string;
  ref_table?: string;
  ref_field?: string;
}

interface Options<T> {
  label: string;
  description?: string;
  default?: T;
  required?: boolean;
}

/** What a picklist offers: the active apps, the active roles, the active services of group Email, every template. */
export type Choices = 'app' | 'role' | 'email_service' | 'email_template';

/** A field of a config; `T` is the type of its value once checked. */
export interface ConfigField<T> extends Omit<FieldDescriptor, 'name'> {
  /** Encrypted at rest, answered as the mask (contract/service-types.md §2 "Secret handling"). */
  secret?: boolean;
  /** Smaller numbers count as unset (contract/service-types.md §2, max_records). */
  atLeast?: number;
  /** The options are rows of the instance, filled in by the server; `values` is what a client sees. */
  choices?: Choices;
  /** What it reads as while it is unset; absent: its default. */
  unset?: T;
  /** Null in every configuration, for clients that look for it; neither described nor taken. */
  unused?: true;
  /**
   * It decides who gets the secrets beside it, or who can read them on the way: host, port, address, user, TLS settings.
   * When it changes, they must be sent again. Of a map, the keys that do.
   */
  destination?: true | readonly string[];
  /** What an unset value stands for although it is no default to be shown, such as the usual port. */
  usual?: T;
  /** Whether it is there is checked by the type, which has its own words for it; forms require it like any other. */
  checkedByType?: true;
  /** It has braces of its own: no lookup keys are put into it when the service is opened. */
  literal?: true;
  /**
   * Lookup keys in it are put in at each call, by the type: those of the caller count, too. What names them is for
   * administrators all the same.
   */
  filledByCall?: true;
  /** It may be a secret, although it reads back as it is: the audit has the mask. Of a map, each of its values. */
  confidential?: true;
  /** What anything but a list of objects is refused with, where the contract has words of its own for it. */
  notRows?: string;
  /** It is written as a text and answered as a number (contract/service-types.md §5, the port of SMTP). */
  readsAsNumber?: true;
  /** Only for the type; never present. */
  readonly _value?: T;
}

export type ConfigFields = Record<string, ConfigField<unknown>>;
export type ConfigOf<F extends ConfigFields> = { [K in keyof F]: F[K] extends ConfigField<infer T> ? T : never };

/** What a type says of a field beyond what the wire's config_schema has. */
type InnerOption =
  | ('choices' | 'atLeast' | 'destination' | 'usual' | 'checkedByType')
  | ('literal' | 'filledByCall' | 'confidential' | 'notRows' | 'readsAsNumber');

const field =
  <T>(type: ConfigFieldType, extra: Partial<ConfigField<T>> = {}) =>
  (options: Options<T> & Partial<FieldDescriptor> & Pick<ConfigField<T>, InnerOption>): ConfigField<T | null> =>
    ({ type, required: false, allow_null: !options.required, ...extra, ...options }) as ConfigField<T | null>;

export const string = field<string>('string');
export const text = field<string>('text');
export const secret = field<string>('password', { secret: true });
/** A secret that is a longer text, and one that is the content of a file. */
export const secretText = field<string>('text', { secret: true });
export const secretFile = field<string>('file_certificate', { secret: true });
export const integer = field<number>('integer');
export const boolean = field<boolean>('boolean');
export const picklist = field<string | number>('picklist');
/** Any number of the offered values, drawn as check boxes. */
export const picks = field<string[]>('multi_picklist');
export const strings = field<string[]>('array', { items: 'string' });
export const map = field<Record<string, string>>('object', {
  object: { key: { label: 'Name', type: 'string' }, value: { label: 'Value', type: 'string' } },
});
/** A field that is there and never set. */
export const unused = (): ConfigField<null> => ({ type: 'string', unused: true });
/** A part of the objects of a list. */
export type ItemField = FieldDescriptor & Pick<ConfigField<unknown>, 'secret' | InnerOption>;

/** A list of objects, drawn as a table with a column for each part. */
export const rows = <T extends Record<string, unknown>>(
  options: Options<T[]> & { items: ItemField[]; unset?: T[] } & Pick<
      ConfigField<T[]>,
      'literal' | 'filledByCall' | 'notRows'
    >,
): ConfigField<T[] | null> => ({ type: 'array', required: false, allow_null: true, ...options });

/** The wire's `config_schema` of a definition: its fields in order, secrets told only by their type. */
export function configSchema(fields: ConfigFields): FieldDescriptor[] {
  const usedFields = Object.entries(fields).filter(([, field]) => !field.unused);
  return usedFields.map(([name, { unset: _unset, ...field }]) => ({
    ...wireField({ name, ...field }),
    ...(Array.isArray(field.items) ? { items: field.items.map(wireField) } : {}),
    description: field.description ?? '',
    default: field.default ?? null,
  }));
}

const wireField = ({
  secret: _secret,
  choices: _choices,
  atLeast: _atLeast,
  destination: _destination,
  usual: _usual,
  checkedByType: _checkedByType,
  literal: _literal,
  filledByCall: _filledByCall,
  confidential: _confidential,
  notRows: _notRows,
  readsAsNumber: _readsAsNumber,
  ...rest
}: ItemField): FieldDescriptor => rest;

/** Whether a configuration of these fields may hold a secret, in a row of a list too. */
export const hasSecrets = (fields: ConfigFields): boolean =>
  Object.values(fields).some(
    ({ secret, items }) => secret || (Array.isArray(items) && items.some((item: ItemField) => item.secret)),
  );

/** What a stored secret reads back as; the same text sent in means "unchanged". */
export const secretMask = '**********';
