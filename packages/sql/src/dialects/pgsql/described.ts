// A statement whose columns only the database knows, such as the call of a function: the database describes them.
import type { Connection as Wire } from 'pg';
import { jsonRowWriter } from '../../convert/wire.ts';
import type { Row } from '../../query/index.ts';
import { type Column, columnWithoutTable } from '../../schema/index.ts';
import { JsonCollector } from '../network/index.ts';
import { beginStatement, type RowDescription, type Speaker, Statement } from './statement.ts';
import { nativeType, simpleType, writerOf } from './types.ts';

/** Rows with what they are made of; the type of each column is its number in the catalogues. */
export interface Described {
  columns: { name: string; type: number }[];
  rows: Row[];
}

interface Parts {
  sql: string;
  parameters: readonly unknown[];
  /** Characters of JSON text at most. */
  limit: number;
  stop(): void;
  resolve(answer: Described): void;
  reject(error: unknown): void;
}

export class DescribedRun extends Statement {
  private readonly parts: Parts;
  private columns: Described['columns'] = [];
  private rows: JsonCollector<(string | null)[]> | undefined;

  constructor(parts: Parts) {
    super();
    this.parts = parts;
  }

  submit(wire: Wire): void {
    const speaker = wire as unknown as Speaker;
    speaker.stream.cork();
    beginStatement(speaker, this.parts.sql, this.parts.parameters, undefined);
    speaker.describe({ type: 'P', name: '' });
    speaker.execute({});
    wire.sync();
    speaker.stream.uncork();
  }

  override handleRowDescription({ fields }: RowDescription): void {
    this.columns = fields.map((field) => ({ name: field.name, type: field.dataTypeID }));
    const columns = fields.map((field) => toColumn(field.name, field.dataTypeID, field.dataTypeModifier));
    const write = jsonRowWriter(columns.map((column) => ({ name: column.name, write: writerOf(column) })));
    this.rows = new JsonCollector(write, this.parts.limit, this.parts.stop);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows?.add(fields);
  }

  handleReadyForQuery(): void {
    const stopReason = this.rows?.stopReason;
    if (stopReason) this.parts.reject(stopReason);
    else this.parts.resolve({ columns: this.columns, rows: JSON.parse(this.rows?.answer(0).json ?? '[]') as Row[] });
  }

  handleError(error: unknown): void {
    this.parts.reject(this.rows?.stopReason ?? error);
  }
}

/** Types whose values are no texts, by their numbers, which never change (pg_type.dat of the server's source). */
const typeNames: Record<number, string> = {
  16: 'boolean',
  17: 'bytea',
  20: 'bigint',
  21: 'smallint',
  23: 'integer',
  26: 'oid',
  700: 'real',
  701: 'double precision',
  790: 'money',
  1700: 'numeric',
};
const bitType = 1560;

function toColumn(name: string, type: number, modifier: number): Column {
  const native = nativeType(type === bitType && modifier === 1 ? 'bit(1)' : (typeNames[type] ?? 'text'));
  return columnWithoutTable(name, simpleType(native), native.text);
}
