// The types of fields, and what is asked of each (SCH-054…056, OPEN-171).

/** Offered for fields with a column (SCH-054). */
export const fieldTypes = [
  'id',
  'string',
  'integer',
  'text',
  'boolean',
  'binary',
  'float',
  'double',
  'decimal',
  'datetime',
  'date',
  'time',
  'reference',
  'user_id',
  'user_id_on_create',
  'user_id_on_update',
  'timestamp',
  'timestamp_on_create',
  'timestamp_on_update',
];

/** What functions of the database return (SCH-055): the types of virtual fields. */
export const returnTypes = ['string', 'integer', 'boolean', 'binary', 'float', 'double', 'decimal'];
/** Further types that the server takes for virtual fields. */
export const moreReturnTypes = ['text', 'datetime', 'date', 'time', 'timestamp'];

/** Where a function stands in for the column (SCH-056). */
export const functionUses = ['SELECT', 'FILTER', 'INSERT', 'UPDATE'];

const typesWithLength = ['string', 'integer', 'text', 'binary'];
const typesWithPrecision = ['decimal', 'float', 'double'];
const typesWithPicklist = ['string', 'integer'];
const numberTypes = ['integer', 'bigint', 'float', 'double', 'decimal', 'money', 'reference', 'user_id'];

const isOneOf = (types: string[]) => (type: string | null) => type !== null && types.includes(type);
export const hasLength = isOneOf(typesWithLength);
export const hasPrecision = isOneOf(typesWithPrecision);
export const hasPicklist = isOneOf(typesWithPicklist);
export const isNumber = isOneOf(numberTypes);

/** What a field of type reference can refer to. */
export const holdsWholeNumbers = isOneOf(['id', 'integer', 'bigint', 'reference']);

/** The server or its database fills these: no default can be said. */
export const isAutomatic = (type: string | null): boolean =>
  type !== null && /^(id|(user_id|timestamp)_on_(create|update))$/.test(type);

/** What a foreign key may do with the records that refer to one that goes or changes; nothing chosen: the database's own rule. */
export const referenceRules = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'];
