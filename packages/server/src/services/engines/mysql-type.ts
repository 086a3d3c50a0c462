// Types of databases that are reached as MySQL is, by one configuration: services/<type> says which engine it is.
import { type ConfigOf, fail, configField as field } from '@sluice/contract';
import { type Database, type MysqlOptions, type TlsMode, tlsModes } from '@sluice/sql';
import { databaseType, queryTimeoutOf, tryDatabase } from '../../database/index.ts';
import type { ServiceType } from '../../service/service.ts';
import { checkServer, driverFields, poolFields, recordLimitFields, serverAddress, serverFields } from './fields.ts';

const configFor = (port: number) => ({
  ...serverFields(port),
  charset: field.string({
    label: 'Character Set',
    description:
      'Has no effect: connections always carry utf8mb4, which holds any text. Kept for configurations made elsewhere.',
  }),
  collation: field.string({
    label: 'Character Set Collation',
    description: 'Collation of the sessions, one of utf8mb4. Blank: the usual one. Columns keep their own.',
  }),
  timezone: field.string({
    label: 'Timezone',
    description: 'Time zone of the sessions: what columns of type timestamp are shown in. Blank means UTC, +00:00.',
  }),
  modes: field.string({
    label: 'Session Modes',
    description: 'SQL modes of the sessions, a comma list in place of what the server and Use Strict Mode say.',
  }),
  strict: field.boolean({
    label: 'Use Strict Mode',
    description: 'Values that do not fit are refused. Off, the server cuts them to what fits.',
    default: true,
  }),
  unix_socket: field.string({
    label: 'Socket Connection',
    destination: true,
    description: 'Path of a socket of this machine, used in place of host and port.',
  }),
  ...driverFields(
    {
      options: `Known are ssl_mode (${tlsModes.join(', ').toUpperCase()}; without it connections are not encrypted) and ssl_ca, ssl_cert and ssl_key (PEM text, or the absolute path of a file with it). Others are kept and have no effect.`,
      attributes: 'They have no effect; kept for configurations made elsewhere.',
      statements: 'SQL to run whenever a connection opens, such as SET SESSION lock_wait_timeout = 10.',
    },
    ['ssl_mode', 'ssl_ca', 'ssl_cert', 'ssl_key'],
  ),
  ...recordLimitFields,
  ...poolFields,
});

type MysqlFields = ReturnType<typeof configFor>;
type MysqlConfig = ConfigOf<MysqlFields>;

/** What such types differ in. `open` does not connect yet. */
interface MysqlTypeParts extends Pick<ServiceType, 'name' | 'label' | 'description'> {
  /** The usual port. */
  port: number;
  hasRoutines?: boolean;
  hasFixedSchema?: boolean;
  open(options: MysqlOptions): Database;
}

/** Declares a type of databases that are reached as MySQL is. */
export const mysqlType = ({
  name,
  label,
  description,
  port,
  hasRoutines,
  hasFixedSchema,
  open,
}: MysqlTypeParts): ServiceType<MysqlFields> =>
  databaseType({
    name,
    label,
    description,
    hasRoutines,
    hasFixedSchema,
    config: configFor(port),
    check: checkConfig,
    address: (config) => config.unix_socket?.trim() || serverAddress(config, port),
    connect: async (config, context) => open(optionsOf(config, queryTimeoutOf(config, context))),
    async test(config, context) {
      await tryDatabase(open(optionsOf(config)), context);
    },
  });

function checkConfig(config: MysqlConfig): void {
  checkServer({ host: config.unix_socket?.trim() || config.host, database: config.database });
  if (tlsMode(config)) return;
  const message = `The ssl_mode must be one of ${tlsModes.join(', ').toUpperCase()}.`;
  throw fail('record.invalid', { messages: [message] }, { context: { options: [message] } });
}

const tlsMode = ({ options }: MysqlConfig): TlsMode | undefined => {
  const mode = String(options?.ssl_mode || 'disabled').toLowerCase();
  return tlsModes.find((candidate) => candidate === mode);
};

/** Checks again: lookups may have changed the configuration since. */
function optionsOf(config: MysqlConfig, timeout?: number): MysqlOptions {
  checkConfig(config);
  const { options } = config;
  return {
    host: config.host?.trim() || undefined,
    port: config.port ?? undefined,
    socketPath: config.unix_socket?.trim() || undefined,
    user: config.username ?? undefined,
    password: config.password ?? undefined,
    database: config.database?.trim() ?? '',
    schema: config.schema?.trim() ?? '',
    collation: config.collation?.trim() || undefined,
    timezone: config.timezone?.trim() || undefined,
    modes: config.modes?.trim() || undefined,
    strict: config.strict ?? true,
    statements: config.statements ?? [],
    tls: { mode: tlsMode(config) ?? 'disabled', ca: options?.ssl_ca, cert: options?.ssl_cert, key: options?.ssl_key },
    maxConnections: config.max_connections ?? undefined,
    timeout,
  };
}
