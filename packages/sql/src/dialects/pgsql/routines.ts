// Functions and procedures of a PostgreSQL database (https://www.postgresql.org/docs/current/catalog-pg-proc.html). A name
// may stand for several functions: the one is called whose parameters fit the values.
import { arrayText } from '../../convert/array.ts';
import { toNative } from '../../convert/native.ts';
import type { Row } from '../../query/index.ts';
import {
  columnWithoutTable,
  labelOf,
  type Routine,
  type RoutineParameter,
  type RoutineResult,
} from '../../schema/index.ts';
import type { NamedRoutine, RoutineReader, RunQuery, TextRow } from '../network/index.ts';
import type { PgsqlConnection, Plan } from './driver.ts';
import { defaultOf, resolveSchema } from './introspect.ts';
import { nativeType, simpleType } from './types.ts';

/**
 * Functions and procedures the user may call. Aggregates and window functions cannot be called alone; what answers
 * `trigger` or takes `internal` is for the database itself. `$1` and `$2` as in introspect.ts.
 */
const listSql = `select p.oid, n.nspname, p.proname, p.prokind, obj_description(p.oid, 'pg_proc'),
    n.nspname = coalesce($2, current_schema())
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.prokind in ('f', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and ($1::text is null or n.nspname = $1)
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype)
    and 'internal'::regtype::oid <> all (p.proargtypes::oid[])
    and has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')
  order by 6 desc, 2, 3, p.oid`;

/** `-1` prints a type as a cast takes it: the SQL word `character` would cut a value to one letter. */
const describeSql = `select p.oid, p.proretset, format_type(p.prorettype, null), t.typtype, p.prorettype,
    obj_description(p.oid, 'pg_proc'),
    (select json_agg(json_build_array(coalesce(p.proargnames[a.n], ''), coalesce(p.proargmodes[a.n]::text, 'i'),
        format_type(a.type, null), format_type(a.type, -1), s.typtype = 'p', s.typcategory = 'A' or a.type = 2277,
        pg_get_function_arg_default(p.oid, a.n::int)) order by a.n)
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as a (type, n)
        join pg_type s on s.oid = a.type)
  from unnest($1::oid[]) with ordinality as o (id, n) join pg_proc p on p.oid = o.id
    join pg_type t on t.oid = p.prorettype order by o.n`;

interface PgsqlParameter extends RoutineParameter {
  /** What a value is cast to. */
  cast: string;
  isArray: boolean;
  isVariadic: boolean;
  /** Its name as the database knows it; empty for one without. */
  native: string;
}

interface PgsqlRoutine extends Routine {
  parameters: PgsqlParameter[];
  /** It returns any number of rows. */
  isSet: boolean;
  /** Its rows are records of columns that nobody declared: they are shown as texts. */
  hasUndeclaredColumns: boolean;
}

const recordType = '2249';
const voidType = 2278;

/** `schema` says which schemas are shown, in the words of introspect.ts. */
export function routineReader(schema: string): RoutineReader<Plan> {
  const { only, isDefault } = resolveSchema(schema);
  return {
    list: (runQuery) => readList(runQuery, only, isDefault),
    describe: async (runQuery, entry) =>
      (await runQuery(describeSql, [`{${entry.ids.join(',')}}`])).map((row) => toRoutine(entry, row)),
    call(routine, values) {
      const pgsqlRoutine = routine as PgsqlRoutine;
      const { sql, parameters } = compileCall(pgsqlRoutine, values);
      return async (connection, limit) => {
        const answer = await (connection as PgsqlConnection).runDescribed(sql, parameters, limit);
        return toResult(pgsqlRoutine, answer.rows, answer.columns);
      };
    },
  };
}

async function readList(runQuery: RunQuery, schema: string | null, isDefault: boolean): Promise<NamedRoutine[]> {
  const entries = new Map<string, NamedRoutine>();
  for (const [oid, owner = '', name = '', letter, comment, isOwn] of await runQuery(listSql, [schema, schema])) {
    if (isDefault && isOwn !== 't') continue;
    const native = { schema: String(owner), name: String(name) };
    const apiName = isOwn === 't' ? native.name : `${native.schema}.${native.name}`;
    const kind = letter === 'p' ? 'procedure' : 'function';
    const existing = entries.get(`${kind} ${apiName}`);
    if (!existing) {
      entries.set(`${kind} ${apiName}`, { kind, name: apiName, native, comment: comment || null, ids: [String(oid)] });
    } else if (existing.native.schema === native.schema) {
      existing.ids.push(String(oid));
      // Else a function `a.b` of the naming schema goes before the function b of a schema a.
    }
  }
  return [...entries.values()];
}

type Argument = [
  name: string,
  mode: string,
  shown: string,
  cast: string,
  isAny: boolean,
  isArray: boolean,
  value: string | null,
];

function toRoutine({ kind, name, native }: NamedRoutine, row: TextRow): PgsqlRoutine {
  const [, isSet, type, typeKind, typeNumber, comment, list] = row;
  const declaredArguments = JSON.parse(list ?? '[]') as Argument[];
  const parameters = declaredArguments.flatMap((argument, index) =>
    argument[1] === 't' ? [] : [toParameter(argument, index + 1)],
  );
  const outputs = declaredArguments.filter(([, mode]) => mode === 't' || mode === 'o' || mode === 'b');
  const isRows = isSet === 't' || typeKind === 'c' || outputs.length > 1;
  return {
    kind,
    name,
    native,
    label: labelOf(name),
    description: comment || null,
    returns:
      kind === 'procedure' || isRows || Number(typeNumber) === voidType ? null : simpleType(nativeType(type ?? '')),
    parameters,
    isSet: isSet === 't',
    hasUndeclaredColumns: typeNumber === recordType && outputs.length === 0,
  };
}

function toParameter([native, mode, shown, cast, isAny, isArray, value]: Argument, position: number): PgsqlParameter {
  const name = native || `p${position}`;
  const type = nativeType(shown);
  const simple = simpleType(type);
  const column = columnWithoutTable(name, simple, type.text);
  column.description.default = defaultOf(value, simple);
  return {
    name,
    native,
    position,
    direction: mode === 'o' ? 'OUT' : mode === 'b' ? 'INOUT' : 'IN',
    column,
    hasDefault: value !== null,
    // A parameter of any type is what its value is said to be: a text.
    cast: !isAny ? cast : isArray ? 'text[]' : 'text',
    isArray,
    isVariadic: mode === 'v',
  };
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Values are cast to the types of their parameters, so that they pick the very function that was described. Behind one
 * that is left out the others are named (https://www.postgresql.org/docs/current/sql-syntax-calling-funcs.html).
 */
function compileCall(routine: PgsqlRoutine, values: ReadonlyMap<RoutineParameter, unknown>) {
  const parameters: unknown[] = [];
  const callArguments: string[] = [];
  let isNamed = false;
  for (const parameter of routine.parameters) {
    // A function takes no argument for its results, a procedure does.
    if (parameter.direction === 'OUT' && routine.kind === 'function') continue;
    if (!values.has(parameter) && parameter.hasDefault && canBeLeftOut(routine.parameters, parameter)) {
      isNamed = true;
      continue;
    }
    const name = isNamed ? `${quoteName(parameter.native)} => ` : '';
    const variadic = parameter.isVariadic ? 'variadic ' : '';
    if (parameter.direction !== 'OUT') parameters.push(nativeValue(parameter, values.get(parameter)));
    const value = parameter.direction === 'OUT' ? 'null' : `$${parameters.length}`;
    callArguments.push(`${variadic}${name}${value}::${parameter.cast}`);
  }
  const call = `${quoteName(routine.native.schema)}.${quoteName(routine.native.name)}(${callArguments.join(', ')})`;
  const verb = routine.kind === 'procedure' ? 'call' : routine.hasUndeclaredColumns ? 'select' : 'select * from';
  return { sql: `${verb} ${call}`, parameters };
}

/** Parameters after one that is left out must have a name. */
const canBeLeftOut = (parameters: PgsqlParameter[], omitted: PgsqlParameter): boolean =>
  parameters.every((parameter) => parameter.position <= omitted.position || parameter.native !== '');

function nativeValue({ column, isArray }: PgsqlParameter, value: unknown): unknown {
  if (isArray && Array.isArray(value)) return arrayText(value);
  // An object is the text of a JSON parameter, never an expression of the server.
  return toNative(column, value, typeof value === 'object' ? 'filter' : 'write');
}

function toResult(routine: PgsqlRoutine, rows: Row[], columns: { name: string; type: number }[]): RoutineResult {
  const [first] = rows;
  if (routine.kind === 'procedure') {
    const values = Object.values(first ?? {});
    const outParameters = routine.parameters.filter((parameter) => parameter.direction !== 'IN');
    return {
      sets: [],
      out: Object.fromEntries(outParameters.map((parameter, index) => [parameter.name, values[index] ?? null])),
    };
  }
  const [column, ...otherColumns] = columns;
  if (routine.isSet || !column || otherColumns.length > 0) return { sets: [rows], out: {} };
  return { value: column.type === voidType ? null : (first?.[column.name] ?? null) };
}
