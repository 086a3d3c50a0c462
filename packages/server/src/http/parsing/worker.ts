// The program of the thread that parses large bodies (index.ts beside it).
import { parentPort } from 'node:worker_threads';
import { Failure } from '@sluice/contract';
// That file alone: the rest of the package is not needed in a thread of its own.
import { yieldCores } from '@sluice/sql/shares/yield-cores';
import { parseBytes } from './parse-bytes.ts';
import { type Slices, slice } from './slices.ts';

export interface ParseRequest {
  bytes: Uint8Array;
  contentType: string;
  isForSpreadsheet: boolean;
}

/** What came of it: a value (none is in an empty body), a failure of the catalogue, or a fault of ours. */
export type ParseResult =
  | { slices: Slices | undefined }
  | { failure: Pick<Failure, 'key' | 'status' | 'message' | 'hint'> }
  | { fault: string };

yieldCores();
parentPort?.on('message', async (request: ParseRequest) => parentPort?.postMessage(await parse(request)));

async function parse({ bytes, contentType, isForSpreadsheet }: ParseRequest): Promise<ParseResult> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const value = await parseBytes(buffer, contentType, isForSpreadsheet);
    return { slices: value === undefined ? undefined : slice(value) };
  } catch (error) {
    if (!(error instanceof Failure)) return { fault: (error as Error).stack ?? String(error) };
    const { key, status, message, hint } = error;
    return { failure: { key, status, message, hint } };
  }
}
