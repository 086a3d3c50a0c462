import type { Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { addColumn } from './add-column.ts';

/** The reply address of templates as older consoles spell it (CFG-028). */
export async function templateReplies(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { text } = dialect.types;
  const table = 'email_template';
  await addColumn(db, dialect, { table, column: 'replay_to_name', type: text(80) });
  await addColumn(db, dialect, { table, column: 'replay_to_email', type: text(255) });
}
