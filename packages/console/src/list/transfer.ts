// Records in and out as files: which formats there are, and what became of an import. Pure.
import { ApiError, batchErrorCode } from '../api/errors.ts';
import { serverText } from '../text/index.ts';

/** The formats of files (PPL-010, PPL-011, PPL-042), and what a body of each is called (PPL-054). */
export const contentTypes = { csv: 'text/csv', json: 'application/json', xml: 'application/xml' } as const;
export type TransferFormat = keyof typeof contentTypes;
export const transferFormats = Object.keys(contentTypes) as TransferFormat[];

/** The format a file's ending tells (OPEN-097); null for any other (PPL-041). */
export function formatOf(fileName: string): TransferFormat | null {
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase();
  return transferFormats.find((format) => format === ending) ?? null;
}

export interface FailedRecord {
  /** Its place in the file, from 1. */
  record: number;
  message: string;
}

/** How far an import came before it was refused. */
export interface ImportOutcome {
  imported: number;
  failed: FailedRecord[];
  /** It ended at the first failure: what follows in the file was not looked at. */
  isStopped: boolean;
}

/**
 * What a batch error says of each record (contract/http-basics.md §8); null when the file was refused as a whole. Of a
 * file that is sent again to go on, the first `alreadyImported` records are in, so that they fail as duplicates counts for nothing.
 */
export function readImportOutcome(error: unknown, isStopped: boolean, alreadyImported: number): ImportOutcome | null {
  if (!(error instanceof ApiError) || Number(error.code) !== batchErrorCode) return null;
  const { error: failedAt, resource } = (error.context ?? {}) as { error?: unknown; resource?: unknown };
  if (!Array.isArray(failedAt) || !Array.isArray(resource)) return null;
  const failed = failedAt
    .filter((index) => index >= alreadyImported)
    .map((index) => ({ record: index + 1, message: serverText(String(resource[index]?.message ?? error.message)) }));
  return { imported: resource.length - failed.length, failed, isStopped };
}
