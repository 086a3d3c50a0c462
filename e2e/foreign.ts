// Schemas of other projects, from Debian packages, each loaded into a fresh database.
import { type Engine, engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { fileOfPackage } from './packages.ts';

export interface ForeignSchema {
  engine: Engine;
  package: string;
  path: string;
}

const onPgsql = (name: string, path: string): ForeignSchema => ({ engine: 'pgsql', package: name, path });
const onMysql = (name: string, path: string): ForeignSchema => ({ engine: 'mysql', package: name, path });

export const foreignSchemas = {
  roundcubeOnPgsql: onPgsql('roundcube-core', 'usr/share/roundcube/SQL/postgres.initial.sql'),
  icingaOnPgsql: onPgsql('icinga2-ido-pgsql', 'usr/share/icinga2-ido-pgsql/schema/pgsql.sql'),
  kea: onPgsql('kea-admin', 'usr/share/kea/scripts/pgsql/dhcpdb_create.pgsql'),
  zabbix: onPgsql('zabbix-server-pgsql', 'usr/share/zabbix-server-pgsql/schema.sql.gz'),
  roundcubeOnMysql: onMysql('roundcube-core', 'usr/share/roundcube/SQL/mysql.initial.sql'),
  icingaOnMysql: onMysql('icinga2-ido-mysql', 'usr/share/icinga2-ido-mysql/schema/mysql.sql'),
  pdns: onMysql('pdns-backend-mysql', 'usr/share/pdns-backend-mysql/schema/schema.mysql.sql'),
  bacula: onMysql('bacula-director-mysql', 'usr/share/dbconfig-common/data/bacula-director-mysql/install/mysql'),
};

/** Name of a service over it. */
export const serviceOf = ({ engine, package: name }: ForeignSchema): string => `${name.replaceAll('-', '_')}_${engine}`;

/** A fresh database with the schema; the caller drops it. `missing` says why there is none. */
export async function loadForeign(
  schema: ForeignSchema,
): Promise<{ database: TestDatabase; missing?: undefined } | { database?: undefined; missing: string }> {
  const noServer = await engineMissing(schema.engine);
  if (noServer !== undefined) return { missing: noServer };
  const file = await fileOfPackage(schema.package, schema.path);
  if ('missing' in file) return file;
  const database = await freshDatabase(schema.engine);
  await database.run(file.sql);
  return { database };
}
