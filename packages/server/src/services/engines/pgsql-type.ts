// Types of databases that are reached as PostgreSQL is, by one configuration: services/<type> says which engine it is.
import { type ConfigOf, fail, configField as field } from '@sluice/contract';
import { type Database, type PgsqlDatabaseOptions, type SslMode, sslModes } from '@sluice/sql';
import { databaseType, tryDatabase } from '../../database/index.ts';
import type { ServiceType } from '../../service/service.ts';
import { checkServer, driverFields, poolFields, recordLimitFields, serverAddress, serverFields } from './fields.ts';

const configFor = (port: number) => ({
  ...serverFields(port),
  charset: field.string({
    label: 'Character Set',
    description: 'Has no effect: connections always carry UTF-8. Kept for configurations made elsewhere.',
  }),
  sslmode: field.string({
    label: 'SSL Mode',
    usual: 'prefer',
    destination: true,
    description: `One of ${sslModes.join(', ')}; blank means prefer. From verify-ca on, the certificate of the server is checked. Connections by a socket have none.`,
  }),
  timezone: field.string({
    label: 'Timezone',
    description: 'Time zone of the sessions: what times with a zone are shown in. Blank means UTC.',
  }),
  application_name: field.string({
    label: 'Application Name',
    description: 'What the database lists the connections as. Blank means sluice.',
  }),
  ...driverFields(
    {
      options:
        'Known are sslrootcert, sslcert and sslkey (PEM text, or the absolute path of a file with it), and prepare: "false" lets no statement be prepared, for poolers that can not keep them apart. Others are kept and have no effect.',
      attributes: 'They have no effect; kept for configurations made elsewhere.',
      statements: 'SQL to run whenever a connection opens, such as SET search_path TO sales.',
    },
    ['sslrootcert', 'sslcert', 'sslkey'],
  ),
  ...recordLimitFields,
  ...poolFields,
});

type PgsqlFields = ReturnType<typeof configFor>;
type PgsqlConfig = ConfigOf<PgsqlFields>;

/** What such types differ in. `open` connects to nothing yet. */
interface PgsqlTypeParts extends Pick<ServiceType, 'name' | 'label' | 'description'> {
  /** The usual port. */
  port: number;
  hasRoutines?: boolean;
  hasFixedSchema?: boolean;
  open(options: PgsqlDatabaseOptions): Database;
}

/** Declares a type of databases that are reached as PostgreSQL is. */
export const pgsqlType = ({
  name,
  label,
  description,
  port,
  hasRoutines,
  hasFixedSchema,
  open,
}: PgsqlTypeParts): ServiceType<PgsqlFields> =>
  databaseType({
    name,
    label,
    description,
    hasRoutines,
    hasFixedSchema,
    config: configFor(port),
    check(config) {
      checkServer(config);
      const message = `The sslmode must be one of ${sslModes.join(', ')}.`;
      if (config.sslmode && !isSslMode(config.sslmode))
        throw fail('record.invalid', { messages: [message] }, { context: { sslmode: [message] } });
    },
    address: (config) => serverAddress(config, port),
    connect: async (config) => open(optionsOf(config)),
    async test(config, context) {
      await tryDatabase(open(optionsOf(config)), context);
    },
  });

const isSslMode = (mode: string): mode is SslMode => (sslModes as readonly string[]).includes(mode);

/** Lookups may have changed what `check` saw. */
function optionsOf(config: PgsqlConfig): PgsqlDatabaseOptions {
  checkServer(config);
  const { sslmode, options } = config;
  return {
    host: config.host?.trim() ?? '',
    port: config.port ?? undefined,
    database: config.database?.trim() ?? '',
    user: config.username ?? undefined,
    password: config.password ?? undefined,
    schema: config.schema?.trim() ?? '',
    sslMode: sslmode && isSslMode(sslmode) ? sslmode : undefined,
    sslRootCert: options?.sslrootcert,
    sslCert: options?.sslcert,
    sslKey: options?.sslkey,
    timeZone: config.timezone ?? undefined,
    applicationName: config.application_name ?? undefined,
    statements: config.statements ?? [],
    prepare: !/^(false|no|off|0)$/i.test(String(options?.prepare ?? '')),
    maxConnections: config.max_connections ?? undefined,
  };
}
