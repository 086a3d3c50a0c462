// What reading answers.

/** A row as the driver gave it or as the wire gets it: API field name → value. */
export type Row = Record<string, unknown>;

/** Rows ready for the wire. The text is what the database process made; rows are parsed from it only when needed. */
export interface Rows {
  count: number;
  /** A JSON array. */
  json(): string;
  list(): Row[];
  /** The rows of a query with `sideColumns`, one by one; the whole text of such a query must not be used. */
  withKeys(): RowWithKeys[];
}

/** Batches whose reading has begun: either they are read to their end, or `return` ends them. */
export interface RowBatches extends AsyncIterable<Rows> {
  [Symbol.asyncIterator](): AsyncIterator<Rows>;
  next(): Promise<IteratorResult<Rows>>;
  return(): Promise<IteratorResult<Rows>>;
}

/** A row as JSON text, with the values of the query's side columns as JSON texts: what joins it to other rows. */
export interface RowWithKeys {
  json: string;
  keys: string[];
}
