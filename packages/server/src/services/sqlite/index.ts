// SQLite files as database services. Where a file may lie is decided in location.ts, what may run at connect in
// statements.ts; reading and writing is the same for every database (server/src/database).
import { basename } from 'node:path';
import { type ConfigOf, configField as field } from '@sluice/contract';
import { type Database, openSqliteDatabase } from '@sluice/sql';
import { databaseType, tryDatabase } from '../../database/index.ts';
import type { ServiceContext } from '../../service/service.ts';
import { driverFields, needed, recordLimitFields } from '../engines/fields.ts';
import { checkDatabaseName, locateDatabase } from './location.ts';
import { checkStatements } from './statements.ts';

const unusedOption = 'SQLite has none; taken so that configurations made elsewhere fit.';

const config = {
  database: field.string({
    label: 'Database',
    ...needed,
    description:
      'A file name, kept with the data of this instance and made when it is first used, or the absolute path of an existing SQLite file.',
  }),
  ...driverFields({
    options: unusedOption,
    attributes: unusedOption,
    statements: 'PRAGMA statements to run whenever a connection opens.',
  }),
  ...recordLimitFields,
};

type SqliteConfig = ConfigOf<typeof config>;

/** A SQLite file as a REST API. */
export const sqlite = databaseType({
  name: 'sqlite',
  label: 'SQLite',
  description: 'Database service supporting SQLite connections.',
  config,
  check({ database, statements }) {
    checkDatabaseName(database ?? '');
    checkStatements(statements);
  },
  address: ({ database }) => database?.trim() || undefined,
  connect,
  async test(config, context) {
    checkStatements(config.statements);
    const { isNew } = await locateDatabase(config.database ?? '', context.dataFolder);
    // A new database would be made now, and left behind if the person never saves.
    if (isNew) return;
    await tryDatabase(await connect(config, context), context);
  },
});

async function connect(config: SqliteConfig, { dataFolder }: ServiceContext): Promise<Database> {
  const database = config.database ?? '';
  // A caller of the service learns the file's name, not its folder.
  const { file, isNew } = await locateDatabase(database, dataFolder, basename(database));
  return openSqliteDatabase({ path: file, create: isNew, statements: config.statements ?? [] });
}
