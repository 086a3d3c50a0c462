// Functions and procedures of a MariaDB or MySQL database. A procedure may return several results, of columns that only
// it knows; what its parameters return is left in variables of the session.
import { fail } from '@sluice/contract';
import type { FieldPacket } from 'mysql2';
import { toNative } from '../../convert/native.ts';
import { toWire, wireColumn } from '../../convert/wire.ts';
import type { Row } from '../../query/index.ts';
import {
  type Column,
  columnWithoutTable,
  labelOf,
  type Routine,
  type RoutineKind,
  type RoutineParameter,
  type RoutineResult,
} from '../../schema/index.ts';
import type { NamedRoutine, RoutineReader, RunQuery, TextRow } from '../network/index.ts';
import type { MysqlConnection } from './connection.ts';
import { isSame, resolveScope, type Scope } from './introspect.ts';
import { type MysqlPlan, mysqlPlan } from './plan.ts';
import { nativeType, simpleType } from './types.ts';
import { shortestSingle } from './values.ts';

interface MysqlRoutine extends Routine {
  /** The column of what a function returns. */
  result: Column | undefined;
}

/** Reads and calls the routines of the databases that a scope shows. */
export function routineReader(scope: Scope): RoutineReader<MysqlPlan> {
  const { namingDatabase, filter, parameters } = resolveScope(scope);
  const isOwn = (database: string) => isSame(database, namingDatabase);
  return {
    async list(runQuery) {
      const rows = await runQuery(
        `select routine_schema, routine_name, routine_type, routine_comment from information_schema.routines
         where ${filter('routine_schema')} and routine_type in ('PROCEDURE', 'FUNCTION')`,
        parameters,
      );
      const entries = rows.map((row) => toEntry(row, isOwn));
      // A procedure `a.b` of the naming database goes before the procedure b of a database a.
      entries.sort((a, b) => Number(isOwn(a.native.schema)) - Number(isOwn(b.native.schema)));
      return [...new Map(entries.map((routine) => [`${routine.kind} ${routine.name}`, routine])).values()];
    },
    describe: describeRoutine,
    call(routine, values) {
      const mysqlRoutine = routine as MysqlRoutine;
      const run =
        routine.kind === 'function' ? callFunction(mysqlRoutine, values) : callProcedure(mysqlRoutine, values);
      return (connection, limit) => run(connection as MysqlConnection, limit);
    },
  };
}

function toEntry([schema, name, type, comment]: TextRow, isOwn: (database: string) => boolean): NamedRoutine {
  const native = { schema: String(schema), name: String(name) };
  return {
    kind: kindOf(type),
    name: isOwn(native.schema) ? native.name : `${native.schema}.${native.name}`,
    native,
    ids: [native.name],
    comment: comment || null,
  };
}

const kindOf = (type: string | null | undefined): RoutineKind => (type === 'FUNCTION' ? 'function' : 'procedure');

/** The row at position 0 is what a function returns. */
async function describeRoutine(runQuery: RunQuery, entry: NamedRoutine): Promise<Routine[]> {
  const { kind, name, native } = entry;
  const routineKey = [native.schema, native.name, kind.toUpperCase()];
  const [routineRow] = await runQuery(
    `select routine_comment from information_schema.routines
     where routine_schema = ? and routine_name = ? and routine_type = ?`,
    routineKey,
  );
  if (!routineRow) return [];
  const rows = await runQuery(
    `select ordinal_position, parameter_mode, parameter_name, dtd_identifier from information_schema.parameters
     where specific_schema = ? and specific_name = ? and routine_type = ? order by ordinal_position`,
    routineKey,
  );
  const columnOf = (name: string, type: string | null | undefined): Column => {
    const native = nativeType(String(type));
    return columnWithoutTable(name, simpleType(native), native.text, native);
  };
  const resultType = rows.find(([position]) => position === '0')?.[3];
  const result = resultType === undefined ? undefined : columnOf('output', resultType);
  const routine: MysqlRoutine = {
    kind,
    name,
    native,
    label: labelOf(name),
    description: routineRow[0] || null,
    returns: result?.description.type ?? null,
    result,
    parameters: rows.flatMap(([position, mode, declaredName, type]): RoutineParameter[] => {
      if (position === '0') return [];
      const parameterName = declaredName || `p${position}`;
      const direction = mode === 'OUT' || mode === 'INOUT' ? mode : 'IN';
      return [
        {
          name: parameterName,
          position: Number(position),
          direction,
          column: columnOf(parameterName, type),
          hasDefault: false,
        },
      ];
    }),
  };
  return [routine];
}

type Values = ReadonlyMap<RoutineParameter, unknown>;
type RoutineCall = (connection: MysqlConnection, limit: number) => Promise<RoutineResult>;

const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

const quotedRoutineName = ({ native }: Routine): string => `${quoteName(native.schema)}.${quoteName(native.name)}`;

/** An object is the text of a JSON parameter, never an expression of the server. */
const nativeValue = ({ column }: RoutineParameter, value: unknown): unknown =>
  toNative(column, value, typeof value === 'object' ? 'filter' : 'write');

function callFunction(routine: MysqlRoutine, values: Values): RoutineCall {
  const { result } = routine;
  if (!result) throw new Error('a function answers something');
  const placeholders = routine.parameters.map(() => '?').join(', ');
  const plan = mysqlPlan(`select ${quotedRoutineName(routine)}(${placeholders})`, [result]);
  const parameters = routine.parameters.map((parameter) => nativeValue(parameter, values.get(parameter)));
  return async (connection, limit) => {
    const { json } = await connection.run(plan, parameters, limit);
    const [row] = JSON.parse(json) as Row[];
    return { value: row?.[result.name] ?? null };
  };
}

function callProcedure(routine: MysqlRoutine, values: Values): RoutineCall {
  const variable = ({ position }: RoutineParameter) => `@sluice_${position}`;
  const placeholders = routine.parameters.map((parameter) =>
    parameter.direction === 'IN' ? '?' : variable(parameter),
  );
  const inOutParameters = routine.parameters.filter((parameter) => parameter.direction === 'INOUT');
  const outParameters = routine.parameters.filter((parameter) => parameter.direction !== 'IN');
  const plan = (sql: string) => mysqlPlan(sql, []);
  const parameters = routine.parameters
    .filter((parameter) => parameter.direction === 'IN')
    .map((parameter) => nativeValue(parameter, values.get(parameter)));
  const inOutValues = inOutParameters.map((parameter) => nativeValue(parameter, values.get(parameter)));
  return async (connection, limit) => {
    if (inOutParameters.length > 0)
      await connection.run(
        plan(`set ${inOutParameters.map((parameter) => `${variable(parameter)} = ?`).join(', ')}`),
        inOutValues,
        limit,
      );
    const sets = await collectResults(
      connection,
      `call ${quotedRoutineName(routine)}(${placeholders.join(', ')})`,
      parameters,
      limit,
    );
    const out =
      outParameters.length === 0
        ? []
        : await collectResults(
            connection,
            `select ${outParameters.map(variable).join(', ')}`,
            [],
            limit,
            outParameters,
          );
    return { sets, out: out[0]?.[0] ?? {} };
  };
}

/** All results of a statement; `columns` are those of its only one where the server does not describe them. */
function collectResults(
  connection: MysqlConnection,
  sql: string,
  parameters: readonly unknown[],
  limit: number,
  columns?: readonly RoutineParameter[],
): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const sets: Row[][] = [];
    let printRow: MysqlPlan['write'] = () => '{}';
    let size = 0;
    connection.execute({ ...mysqlPlan(sql, []), isSpatial: true }, parameters, {
      columns(fields) {
        sets.push([]);
        printRow = columns ? outValuesToJson(columns) : mysqlPlan('', fields.map(columnOf)).write;
      },
      row(values) {
        if (size > limit) return;
        const text = printRow(values);
        size += text.length;
        sets.at(-1)?.push(JSON.parse(text) as Row);
        if (size <= limit) return;
        reject(fail('database.tooLarge', { limit }));
        connection.destroy();
      },
      outcome: () => {},
      end: () => resolve(sets),
      fail: reject,
    });
  });
}

/** A variable keeps the value of a parameter, but as one of the few types variables have. */
const outValuesToJson =
  (parameters: readonly RoutineParameter[]): MysqlPlan['write'] =>
  (values) =>
    JSON.stringify(
      Object.fromEntries(
        parameters.map(({ name, column }, index) => {
          const value = values[index];
          const isSinglePrecision = column.description.type === 'float' && typeof value === 'number';
          return [name, toWire(wireColumn(column).kind, isSinglePrecision ? shortestSingle(value) : value)];
        }),
      ),
    );

/** Types of the protocol (https://mariadb.com/kb/en/result-set-packets/#field-types) by their words in SQL. */
const typeNames: Record<number, string> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  16: 'bit',
  245: 'json',
  246: 'decimal',
  255: 'geometry',
};
const binaryCharset = 63;
const textTypes = new Set([249, 250, 251, 252, 253, 254, 15]);

/** A column of a result as the server describes it. */
function columnOf(field: FieldPacket): Column {
  const {
    name,
    characterSet,
    columnLength = 0,
    decimals = 0,
    columnType = 0,
  } = field as FieldPacket & {
    columnType?: number;
  };
  const isTime = columnType === 7 || columnType === 11 || columnType === 12;
  const word = textTypes.has(columnType) && characterSet === binaryCharset ? 'blob' : (typeNames[columnType] ?? 'text');
  const size =
    (columnType === 1 && columnLength === 1) || columnType === 16
      ? `(${columnLength})`
      : isTime && decimals > 0 && decimals <= 6
        ? `(${decimals})`
        : '';
  const type = nativeType(`${word}${size}`);
  return columnWithoutTable(name, simpleType(type), type.text);
}
