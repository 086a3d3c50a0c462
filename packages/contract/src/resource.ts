// How a system resource is declared: its fields, what each accepts, and its relations. One definition gives the
// TypeScript type, the JSON schema (OpenAPI), the checks of the record engine and the columns of its table.
import { type Static, type TSchema, Type } from 'typebox';

/** Rules of a field besides its JSON type; the texts of their failures are in contract/http-basics.md §8. */
export interface FieldRules {
  /** Refused when absent on create, or empty: "The {field} field is required." */
  required?: boolean;
  /** "The {field} has already been taken." */
  unique?: boolean;
  /** Characters; of a text that says neither this nor `maxBytes`, those of one line. */
  max?: number;
  /** Bytes in UTF-8, of JSON as it is stored. */
  maxBytes?: number;
  min?: number;
  email?: boolean;
  /** No white space allowed. */
  solid?: boolean;
  /** Longer text is cut at `max` instead of refused. */
  cut?: boolean;
  /** Never written from a request body. */
  readOnly?: boolean;
  /** Written, never answered (a password). */
  writeOnly?: boolean;
  /** Not a column: worked out from the row when answering. */
  computed?: boolean;
  /** Answered only where there is something to say. */
  optional?: boolean;
  default?: unknown;
}

/** What a field holds: how it is read from a body, stored and described. */
export type FieldKind = 'id' | 'text' | 'integer' | 'flag' | 'date' | 'json';

export type ResourceField = TSchema & { kind: FieldKind; rules: FieldRules };

/** How long texts are where the contract gives no length: characters of one line, bytes of anything longer. */
export const textLengths = {
  line: 255,
  /** Addresses of pages: what browsers and proxies take. */
  address: 2048,
  /** Notes, and texts of a service's configuration (keys, certificates, statements). */
  note: 64 * 1024,
  /** Bodies of templates, service definitions, scripts, custom and lookup values, a whole configuration. */
  body: 1024 * 1024,
} as const;

/** A field whose rules the compiler knows: whether it is computed or unique decides about its columns. */
type Declared<T extends TSchema, R extends FieldRules> = T & { kind: FieldKind; rules: FieldRules & R };

function declareField<T extends TSchema, R extends FieldRules>(
  schema: T,
  kind: FieldKind,
  rules: R,
  limit: FieldRules = {},
): Declared<T, R> {
  const isLimited = rules.max !== undefined || rules.maxBytes !== undefined;
  return Object.assign(schema, { kind, rules: isLimited ? rules : { ...limit, ...rules } });
}

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const line: FieldRules = { max: textLengths.line };

export const id = () => declareField(Type.Integer(), 'id', { readOnly: true });
export const text = <const R extends FieldRules>(rules: R = {} as R) =>
  declareField(Nullable(Type.String()), 'text', rules, line);
/** Text that is always there: required on create, never null. */
export const name = <const R extends FieldRules>(rules: R = {} as R) =>
  declareField(Type.String(), 'text', { required: true, ...rules }, line);
export const integer = <const R extends FieldRules>(rules: R = {} as R) =>
  declareField(Nullable(Type.Integer()), 'integer', rules);
export const flag = <const R extends FieldRules>(value: boolean, rules: R = {} as R) =>
  declareField(Type.Boolean(), 'flag', { ...rules, default: value });
export const date = <const R extends FieldRules>(rules: R = {} as R) =>
  declareField(Nullable(Type.String({ format: 'date-time' })), 'date', rules);
/** Any JSON, stored as text. */
export const json = <const R extends FieldRules>(rules: R = {} as R) =>
  declareField(Type.Unknown(), 'json', rules, { maxBytes: textLengths.note });

/** The four keys every stamped row has (contract/system-resources.md §0). */
export const stamps = () => ({
  created_date: date({ readOnly: true }),
  last_modified_date: date({ readOnly: true }),
  created_by_id: integer({ readOnly: true }),
  last_modified_by_id: integer({ readOnly: true }),
});

/** Who made and who last changed a stamped row, as people. */
export const stampRelations = () =>
  ({
    user_by_created_by_id: { kind: 'belongs_to', resource: 'user', field: 'created_by_id' },
    user_by_last_modified_by_id: { kind: 'belongs_to', resource: 'user', field: 'last_modified_by_id' },
  }) as const;

/** `belongs_to`: this row's `field` holds the other's id. `has_many`/`has_one`: the other row's `field` holds ours. */
export interface ResourceRelation {
  kind: 'belongs_to' | 'has_many' | 'has_one' | 'many_many';
  /** Name of the related resource declaration. */
  resource: string;
  field: string;
  /** many_many only: the declaration of the link rows, and their field that points to the other side. */
  through?: { resource: string; ref: string };
  /** No rows of the store: the resource works them out, and none is written through it. `resource` is an address. */
  isComputed?: true;
}

export interface ResourceDefinition<F extends Record<string, ResourceField> = Record<string, ResourceField>> {
  name: string;
  label: string;
  description: string;
  /** The field that identifies a record on the wire: `id`, or `name` for custom. */
  identifier: string;
  /** The field people call a record by, in lists and in the audit; null where there is none. */
  nameField: string | null;
  fields: F;
  relations: Record<string, ResourceRelation>;
}

/** Declares a resource; `RecordOf<typeof role>` is the type of its records. */
export function resource<F extends Record<string, ResourceField>>(
  definition: Omit<ResourceDefinition<F>, 'identifier' | 'nameField' | 'relations'> &
    Partial<Pick<ResourceDefinition<F>, 'identifier' | 'nameField' | 'relations'>>,
): ResourceDefinition<F> {
  const nameField = 'name' in definition.fields ? 'name' : null;
  return { identifier: 'id', nameField, relations: {}, ...definition };
}

export type RecordOf<R> = R extends ResourceDefinition<infer F> ? { [K in keyof F]: Static<F[K]> } : never;
