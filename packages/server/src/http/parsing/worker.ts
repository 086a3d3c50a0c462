// The program of the thread that parses large bodies (index.ts beside it).
import { Failure } from '@sluice/contract';
import { yieldCores } from '@sluice/sql/shares/yield-cores';
// That file alone: the rest of the package is not needed in a thread of its own.
import { markNumbers } from '../../call/formats/exact-numbers.ts';
import { parseBytes } from './parse-bytes.ts';

export interface ParseRequest {
  bytes: Uint8Array;
  contentType: string;
  isForSpreadsheet: boolean;
}

/** A value, or a failure of the catalogue, whose class is lost between threads. */
export type ParseResult =
  | { value: unknown; hasMarks: boolean }
  | { failure: Pick<Failure, 'key' | 'status' | 'message' | 'hint'> };

yieldCores();

export async function parse({ bytes, contentType, isForSpreadsheet }: ParseRequest): Promise<ParseResult> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return markNumbers(await parseBytes(buffer, contentType, isForSpreadsheet));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { key, status, message, hint } = error;
    return { failure: { key, status, message, hint } };
  }
}
