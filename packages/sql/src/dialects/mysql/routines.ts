// Functions and procedures of a MariaDB or MySQL database. A procedure may answer several results, of columns it alone
// knows; what it gives back by its parameters is left in variables of the session.
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
import { isSame, type Scope, shownIn } from './introspect.ts';
import { type MysqlPlan, mysqlPlan } from './plan.ts';
import { nativeType, simpleType } from './types.ts';
import { shortest } from './values.ts';

interface MysqlRoutine extends Routine {
  /** What a function answers. */
  answer: Column | undefined;
}

/** Reads and calls the routines of the databases that a scope shows. */
export function routineReader(scope: Scope): RoutineReader<MysqlPlan> {
  const { shown, filter, parameters } = shownIn(scope);
  const isOwn = (database: string) => isSame(database, shown);
  return {
    async list(runQuery) {
      const rows = await runQuery(
        `select routine_schema, routine_name, routine_type, routine_comment from information_schema.routines
         where ${filter('routine_schema')} and routine_type in ('PROCEDURE', 'FUNCTION')`,
        parameters,
      );
      const found = rows.map((row) => entryOf(row, isOwn));
      // A procedure `a.b` of the naming database goes before the procedure b of a database a.
      found.sort((a, b) => Number(isOwn(a.native.schema)) - Number(isOwn(b.native.schema)));
      return [...new Map(found.map((routine) => [`${routine.kind} ${routine.name}`, routine])).values()];
    },
    describe,
    call(routine, values) {
      const known = routine as MysqlRoutine;
      const run = routine.kind === 'function' ? callFunction(known, values) : callProcedure(known, values);
      return (connection, limit) => run(connection as MysqlConnection, limit);
    },
  };
}

function entryOf([owner, name, type, comment]: TextRow, isOwn: (database: string) => boolean): NamedRoutine {
  const native = { schema: String(owner), name: String(name) };
  return {
    kind: kindOf(type),
    name: isOwn(native.schema) ? native.name : `${native.schema}.${native.name}`,
    native,
    ids: [native.name],
    comment: comment || null,
  };
}

const kindOf = (type: string | null | undefined): RoutineKind => (type === 'FUNCTION' ? 'function' : 'procedure');

/** The row at position 0 is what a function answers. */
async function describe(runQuery: RunQuery, entry: NamedRoutine): Promise<Routine[]> {
  const { kind, name, native } = entry;
  const where = [native.schema, native.name, kind.toUpperCase()];
  const [found] = await runQuery(
    `select routine_comment from information_schema.routines
     where routine_schema = ? and routine_name = ? and routine_type = ?`,
    where,
  );
  if (!found) return [];
  const rows = await runQuery(
    `select ordinal_position, parameter_mode, parameter_name, dtd_identifier from information_schema.parameters
     where specific_schema = ? and specific_name = ? and routine_type = ? order by ordinal_position`,
    where,
  );
  const columnOf = (called: string, type: string | null | undefined): Column => {
    const own = nativeType(String(type));
    return columnWithoutTable(called, simpleType(own), own.text, own);
  };
  const answers = rows.find(([position]) => position === '0')?.[3];
  const answer = answers === undefined ? undefined : columnOf('output', answers);
  const routine: MysqlRoutine = {
    kind,
    name,
    native,
    label: labelOf(name),
    description: found[0] || null,
    returns: answer?.description.type ?? null,
    answer,
    parameters: rows.flatMap(([position, mode, own, type]): RoutineParameter[] => {
      if (position === '0') return [];
      const called = own || `p${position}`;
      const direction = mode === 'OUT' || mode === 'INOUT' ? mode : 'IN';
      return [
        { name: called, position: Number(position), direction, column: columnOf(called, type), hasDefault: false },
      ];
    }),
  };
  return [routine];
}

type Values = ReadonlyMap<RoutineParameter, unknown>;
type Run = (connection: MysqlConnection, limit: number) => Promise<RoutineResult>;

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

const nameOf = ({ native }: Routine): string => `${quoted(native.schema)}.${quoted(native.name)}`;

/** An object is the text of a JSON parameter, never an expression of the server. */
const bound = ({ column }: RoutineParameter, value: unknown): unknown =>
  toNative(column, value, typeof value === 'object' ? 'filter' : 'write');

function callFunction(routine: MysqlRoutine, values: Values): Run {
  const { answer } = routine;
  if (!answer) throw new Error('a function answers something');
  const places = routine.parameters.map(() => '?').join(', ');
  const plan = mysqlPlan(`select ${nameOf(routine)}(${places})`, [answer]);
  const parameters = routine.parameters.map((parameter) => bound(parameter, values.get(parameter)));
  return async (connection, limit) => {
    const { json } = await connection.run(plan, parameters, limit);
    const [row] = JSON.parse(json) as Row[];
    return { value: row?.[answer.name] ?? null };
  };
}

function callProcedure(routine: MysqlRoutine, values: Values): Run {
  const variable = ({ position }: RoutineParameter) => `@sluice_${position}`;
  const places = routine.parameters.map((parameter) => (parameter.direction === 'IN' ? '?' : variable(parameter)));
  const goIn = routine.parameters.filter((parameter) => parameter.direction === 'INOUT');
  const goOut = routine.parameters.filter((parameter) => parameter.direction !== 'IN');
  const plan = (sql: string) => mysqlPlan(sql, []);
  const parameters = routine.parameters
    .filter((parameter) => parameter.direction === 'IN')
    .map((parameter) => bound(parameter, values.get(parameter)));
  const brought = goIn.map((parameter) => bound(parameter, values.get(parameter)));
  return async (connection, limit) => {
    if (goIn.length > 0)
      await connection.run(
        plan(`set ${goIn.map((parameter) => `${variable(parameter)} = ?`).join(', ')}`),
        brought,
        limit,
      );
    const sets = await resultsOf(connection, `call ${nameOf(routine)}(${places.join(', ')})`, parameters, limit);
    const out =
      goOut.length === 0
        ? []
        : await resultsOf(connection, `select ${goOut.map(variable).join(', ')}`, [], limit, goOut);
    return { sets, out: out[0]?.[0] ?? {} };
  };
}

/** All results of a statement; `columns` are those of its only one where that does not tell them itself. */
function resultsOf(
  connection: MysqlConnection,
  sql: string,
  parameters: readonly unknown[],
  limit: number,
  columns?: readonly RoutineParameter[],
): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const sets: Row[][] = [];
    let write: MysqlPlan['write'] = () => '{}';
    let size = 0;
    connection.execute({ ...mysqlPlan(sql, []), isSpatial: true }, parameters, {
      columns(fields) {
        sets.push([]);
        write = columns ? leftIn(columns) : mysqlPlan('', fields.map(columnOf)).write;
      },
      row(values) {
        if (size > limit) return;
        const text = write(values);
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
const leftIn =
  (parameters: readonly RoutineParameter[]): MysqlPlan['write'] =>
  (values) =>
    JSON.stringify(
      Object.fromEntries(
        parameters.map(({ name, column }, index) => {
          const value = values[index];
          const isSingle = column.description.type === 'float' && typeof value === 'number';
          return [name, toWire(wireColumn(column).kind, isSingle ? shortest(value) : value)];
        }),
      ),
    );

/** Types of the protocol (https://mariadb.com/kb/en/result-set-packets/#field-types) by their words in SQL. */
const types: Record<number, string> = {
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
const bytes = 63;
const texts = new Set([249, 250, 251, 252, 253, 254, 15]);

/** A column of a result as the server tells it. */
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
  const word = texts.has(columnType) && characterSet === bytes ? 'blob' : (types[columnType] ?? 'text');
  const size =
    (columnType === 1 && columnLength === 1) || columnType === 16
      ? `(${columnLength})`
      : isTime && decimals > 0 && decimals <= 6
        ? `(${decimals})`
        : '';
  const type = nativeType(`${word}${size}`);
  return columnWithoutTable(name, simpleType(type), type.text);
}
