// The statements that may run when a connection opens ("Additional SQL Statements"). SQL could reach other files by ATTACH
// and load code, so only settings of the connection are allowed, and of these none that would make the server wait.
import { fail } from '@sluice/contract';

const allowedPragmas = new Set([
  'analysis_limit',
  'automatic_index',
  'cache_size',
  'cache_spill',
  'case_sensitive_like',
  'cell_size_check',
  'defer_foreign_keys',
  'foreign_keys',
  'journal_mode',
  'journal_size_limit',
  'max_page_count',
  'mmap_size',
  'query_only',
  'recursive_triggers',
  'secure_delete',
  'synchronous',
  'temp_store',
  'threads',
  'wal_autocheckpoint',
]);

const pragmaPattern = /^\s*PRAGMA\s+([a-z_]+)\s*(?:=\s*(?:-?\w+)|\(\s*-?\w+\s*\))?\s*;?\s*$/i;

/** Refuses a statement that is not a harmless PRAGMA, naming it. */
export function checkStatements(statements: readonly string[] | null | undefined): void {
  for (const statement of statements ?? []) {
    const name = pragmaPattern.exec(statement)?.[1]?.toLowerCase();
    if (name === undefined || !allowedPragmas.has(name))
      throw fail('service.connectStatement', { statement: statement.slice(0, 200) });
  }
}
