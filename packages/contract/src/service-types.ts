// Service types where the documents name them: groups, licences, and lists of types by name. What is not listed here goes by
// the group of a type and its config_schema; the server's own types are in its registry.

/** The groups of service types, word for word as they are on the wire (contract/service-types.md §1). */
export const serviceGroups = [
  'API Doc',
  'Cache',
  'Database',
  'Email',
  'Event',
  'File',
  'IoT',
  'LDAP',
  'Limit',
  'Notification',
  'OAuth',
  'Remote Service',
  'Source Control',
  'Script',
  'System',
  'User',
  'Log',
  'SSO',
] as const;
export type ServiceGroup = (typeof serviceGroups)[number];

/** Whether a service type is of this group. A type on the wire may have any text as its group; the one compared with is known. */
export const isInGroup = (type: { group: string }, group: ServiceGroup): boolean => type.group === group;

/** Licences of an instance, `platform.license`; each covers the types of those before it (SVC-015). */
export const licences = ['OPEN SOURCE', 'SILVER', 'GOLD'] as const;
export type Licence = (typeof licences)[number];

/** The licence a type needs, `subscription_required`; types without a tier need none. */
export type ServiceTier = Exclude<Licence, 'OPEN SOURCE'>;

export interface PaidServiceType {
  name: string;
  label: string;
  group: ServiceGroup;
  tier: ServiceTier;
}

/**
 * The types of each tier (SVC-016, SVC-017), with the labels of contract/service-types.md §3-9, for servers that do not list
 * them. A type a server lists has the tier the server says.
 */
export const paidServiceTypes: readonly PaidServiceType[] = [
  { name: 'adldap', label: 'Active Directory', group: 'LDAP', tier: 'SILVER' },
  { name: 'ldap', label: 'Standard LDAP', group: 'LDAP', tier: 'SILVER' },
  { name: 'oidc', label: 'OpenID Connect', group: 'OAuth', tier: 'SILVER' },
  { name: 'oauth_azure_ad', label: 'Azure Active Directory OAuth', group: 'OAuth', tier: 'SILVER' },
  { name: 'saml', label: 'SAML 2.0', group: 'SSO', tier: 'SILVER' },
  { name: 'ibmdb2', label: 'IBM DB2', group: 'Database', tier: 'SILVER' },
  { name: 'informix', label: 'IBM Informix', group: 'Database', tier: 'SILVER' },
  { name: 'oracle', label: 'Oracle', group: 'Database', tier: 'SILVER' },
  { name: 'salesforce_db', label: 'Salesforce', group: 'Database', tier: 'SILVER' },
  { name: 'sqlanywhere', label: 'SAP SQL Anywhere', group: 'Database', tier: 'SILVER' },
  { name: 'sqlsrv', label: 'SQL Server', group: 'Database', tier: 'SILVER' },
  { name: 'memsql', label: 'MemSQL', group: 'Database', tier: 'SILVER' },
  { name: 'soap', label: 'SOAP Service', group: 'Remote Service', tier: 'SILVER' },
  { name: 'apns', label: 'Apple Push Notification', group: 'Notification', tier: 'SILVER' },
  { name: 'gcm', label: 'GCM Push Notification', group: 'Notification', tier: 'SILVER' },
  { name: 'mqtt', label: 'MQTT Client', group: 'IoT', tier: 'SILVER' },
  { name: 'logstash', label: 'Logstash', group: 'Log', tier: 'GOLD' },
];

/** Types whose tables the Data screen shows (DAT-004). */
export const dataScreenTypes: readonly string[] = [
  'mysql',
  'pgsql',
  'sqlite',
  'sqlsrv',
  'memsql',
  'sqlanywhere',
  'oracle',
  'ibmdb2',
  'informix',
  'firebird',
  'aws_redshift_db',
];

/** Types the Schema screen lists (SCH-003). */
export const schemaScreenTypes: readonly string[] = [...dataScreenTypes, 'mongodb'];

/** Types of the group Database whose services have no record filters in roles (ROL-018). */
export const unfilteredDatabaseTypes: readonly string[] = ['couchdb'];

/** Types of services an app's files can be in (APP-029). */
export const appStorageTypes: readonly string[] = [
  'local_file',
  'aws_s3',
  'azure_blob',
  'rackspace_cloud_files',
  'openstack_object_storage',
  'ftp_file',
  'sftp_file',
  'gridfs',
];

/** The type of service an app's files are in unless another is chosen (APP-010). */
export const defaultAppStorageType = 'local_file';

/** Types whose definition one may write oneself (SVC-055); `service_definition_editable` is false for all types. */
export const editableDefinitionTypes: readonly string[] = ['rws', 'nodejs', 'php', 'python', 'v8js'];

/** Endings of the files a service definition is taken from (SVC-027). */
export const definitionFileEndings: readonly string[] = ['.json', '.yml', '.yaml'];

/** Endings of the files a script is taken from, by the type of its service (SVC-023, SVC-024, SVC-025). */
export const scriptFileEndings: ReadonlyMap<string, readonly string[]> = new Map([
  ['nodejs', ['.js']],
  ['v8js', ['.js']],
  ['php', ['.php']],
  ['python', ['.py', '.python']],
]);

/** Endings of the files a script of any other type is taken from (SVC-026). */
export const defaultScriptFileEndings: readonly string[] = ['.json', '.js', '.php', '.yaml', '.yml'];

/** Types where a script is found by repository, reference and path (SVC-028); all others need only a path (SVC-029). */
export const repositoryTypes: readonly string[] = ['github', 'gitlab', 'bitbucket'];
