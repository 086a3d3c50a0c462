// A made-up list of service types for tests and screenshots: every kind of field, every layout, every tier.
import type { FieldDescriptor, ServiceGroup, ServiceTypeRecord } from '@sluice/contract';

const type = (
  name: string,
  label: string,
  group: ServiceGroup,
  config_schema: FieldDescriptor[] | null,
  more: Partial<ServiceTypeRecord> = {},
): ServiceTypeRecord => ({
  name,
  label,
  description: '',
  group,
  singleton: false,
  dependencies_required: null,
  subscription_required: null,
  service_definition_editable: false,
  config_schema,
  ...more,
});

const cache: FieldDescriptor[] = [
  {
    name: 'cache_enabled',
    label: 'Data Retrieval Caching Enabled',
    type: 'boolean',
    default: false,
    description: 'Keep what was read for a while.',
  },
  { name: 'cache_ttl', label: 'Cache Time To Live (minutes)', type: 'integer', default: 0 },
];

const database: FieldDescriptor[] = [
  { name: 'allow_upsert', label: 'Allow Upsert', type: 'boolean', default: false },
  { name: 'max_records', label: 'Maximum Records', type: 'integer', default: 1000 },
  ...cache,
];

const sql: FieldDescriptor[] = [
  {
    name: 'host',
    label: 'Host',
    type: 'string',
    description: 'The name of the database host, i.e. localhost or 192.168.1.1.',
  },
  {
    name: 'port',
    label: 'Port Number',
    type: 'integer',
    description: 'The number of the database port.',
    default: 3306,
  },
  { name: 'database', label: 'Database', type: 'string', required: true },
  { name: 'username', label: 'Username', type: 'string' },
  { name: 'password', label: 'Password', type: 'password' },
  {
    name: 'options',
    label: 'Driver Options',
    type: 'object',
    object: { key: { label: 'Name', type: 'string' }, value: { label: 'Value', type: 'string' } },
  },
  {
    name: 'statements',
    label: 'Additional SQL Statements',
    type: 'array',
    items: 'string',
    description: 'Run once after connecting.',
  },
  ...database,
];

const script: FieldDescriptor[] = [
  { name: 'queued', label: 'Queue For Later Execution', type: 'boolean', default: false },
  { name: 'content', label: 'Content', type: 'text' },
  { name: 'config', label: 'Additional Configuration', type: 'object' },
  { name: 'storage_service_id', label: 'Storage Service', type: 'integer' },
  { name: 'storage_path', label: 'Storage Path', type: 'string' },
  { name: 'scm_repository', label: 'Repository', type: 'string' },
  { name: 'scm_reference', label: 'Reference', type: 'string' },
];

/** One field of every kind, in the words of contract/service-types.md §2. */
export const everyKind: FieldDescriptor[] = [
  {
    name: 'plain',
    label: 'A line',
    type: 'string',
    required: true,
    description: 'Help may hold <b>simple</b> HTML<br>and a second line.',
    default: 'begin',
  },
  { name: 'note', label: 'A text', type: 'text' },
  { name: 'secret', label: 'A secret', type: 'password' },
  { name: 'password', label: 'Named password', type: 'string' },
  { name: 'client_key', label: 'A masked text', type: 'text' },
  { name: 'count', label: 'A number', type: 'integer', default: 9042 },
  { name: 'flag', label: 'A switch', type: 'boolean', default: true, description: 'On unless told otherwise.' },
  {
    name: 'protocol',
    label: 'One of several',
    type: 'picklist',
    values: [
      { label: 'None', name: null },
      { label: 'HTTP', name: 'http' },
      { label: 'HTTPS', name: 'https' },
      { label: 'Number four', name: 4 },
    ],
  },
  {
    name: 'driver',
    label: 'Driver',
    type: 'picklist',
    values: [
      { label: 'MySQL', name: 'mysql', dsn: 'mysql:host=localhost' },
      { label: 'PostgreSQL', name: 'pgsql', dsn: 'pgsql:host=localhost' },
    ],
  },
  { name: 'dsn', label: 'Connection String', type: 'string' },
  {
    name: 'context',
    label: 'Log Context',
    type: 'multi_picklist',
    columns: 2,
    legend: 'Select data object(s) to capture',
    values: ['_event.request', '_event.response', '_platform.config', '_platform.session'].map((name) => ({
      name,
      label: name,
    })),
  },
  {
    name: 'context_three',
    label: 'Three columns',
    type: 'multi_picklist',
    values: ['a', 'b', 'c', 'd'].map((name) => ({ name, label: name })),
  },
  { name: 'role_id', label: 'A reference', type: 'reference', ref_table: 'role', ref_field: 'id' },
  { name: 'paths', label: 'A list of lines', type: 'array', items: 'string' },
  {
    name: 'rows',
    label: 'A list of objects',
    type: 'array',
    items: [
      { name: 'name', label: 'Name', type: 'string', required: true },
      { name: 'pin', label: 'Pin', type: 'password' },
      { name: 'size', label: 'Size', type: 'integer' },
      { name: 'active', label: 'Active', type: 'boolean', default: true },
      {
        name: 'level',
        label: 'Level',
        type: 'picklist',
        values: [
          { label: 'Info', name: 'INFO' },
          { label: 'Debug', name: 'DEBUG' },
        ],
      },
      {
        name: 'group',
        label: 'Grouped',
        type: 'grouped_picklist',
        values: [{ label: 'Fruit', name: 'fruit', values: [{ label: 'Apple', name: 'apple' }] }],
      },
      { name: 'event', label: 'Event', type: 'event_picklist' },
      { name: 'action', label: 'Verbs', type: 'verb_mask' },
    ],
  },
  {
    name: 'options',
    label: 'A map',
    type: 'object',
    object: { key: { label: 'Option', type: 'string' }, value: { label: 'Setting', type: 'string' } },
  },
  { name: 'certificate', label: 'Certificate file (.pem)', type: 'file_certificate' },
  { name: 'event', label: 'An event', type: 'event_picklist' },
  { name: 'verbs', label: 'Verbs', type: 'verb_mask', default: 0 },
  {
    name: 'grouped',
    label: 'Grouped choices',
    type: 'grouped_picklist',
    values: [
      {
        label: 'Fruit',
        name: 'fruit',
        values: [
          { label: 'Apple', name: 'apple' },
          { label: 'Pear', name: 'pear' },
        ],
      },
      { label: 'Nuts', name: 'nuts', values: [{ label: 'Hazel', name: 'hazel' }] },
    ],
  },
  { name: 'content', label: 'Content', type: 'text' },
  { name: 'storage_service_id', type: 'integer' },
  { name: 'storage_path', type: 'string' },
  { name: 'scm_repository', type: 'string' },
  { name: 'scm_reference', type: 'string' },
];

export const serviceTypes: ServiceTypeRecord[] = [
  type(
    'sqlite',
    'SQLite',
    'Database',
    sql.filter(({ name }) => !['host', 'port', 'username', 'password'].includes(name)),
    {
      description: 'A database in a single file, right beside the server.',
    },
  ),
  type('mysql', 'MySQL', 'Database', sql, { description: 'MySQL and MariaDB.' }),
  type('pgsql', 'PostgreSQL', 'Database', sql, { description: 'PostgreSQL 11 and newer.' }),
  type('mongodb', 'MongoDB', 'Database', sql),
  type('couchdb', 'CouchDB', 'Database', sql),
  type('cassandra', 'Cassandra', 'Database', sql),
  type('sqlsrv', 'SQL Server', 'Database', sql, {
    subscription_required: 'SILVER',
    description: 'Microsoft SQL Server.',
  }),
  type(
    'local_file',
    'Local File Storage',
    'File',
    [
      { name: 'container', label: 'Root Folder', type: 'text' },
      { name: 'public_path', label: 'Public Path', type: 'array', items: 'string' },
    ],
    {
      description: 'Files in a folder of the server.',
    },
  ),
  type('aws_s3', 'AWS S3', 'File', sql),
  type('smtp_email', 'SMTP', 'Email', sql),
  type(
    'rws',
    'HTTP Service',
    'Remote Service',
    [
      { name: 'base_url', label: 'Base URL', type: 'text' },
      { name: 'options', label: 'CURL Options', type: 'object' },
      {
        name: 'parameters',
        label: 'Parameters',
        type: 'array',
        items: [
          { name: 'name', label: 'Name', type: 'string', required: true },
          { name: 'value', label: 'Value', type: 'text' },
          { name: 'exclude', label: 'Exclude', type: 'boolean' },
          { name: 'action', label: 'Verbs', type: 'verb_mask', default: 0 },
        ],
      },
      ...cache,
    ],
    { description: 'Another REST API, with its parameters and headers.' },
  ),
  type('nodejs', 'Node.js', 'Script', script),
  type('php', 'PHP', 'Script', script),
  type('python', 'Python', 'Script', script),
  type('v8js', 'V8js', 'Script', script),
  type('oauth_github', 'GitHub OAuth', 'OAuth', sql),
  type('oidc', 'OpenID Connect', 'OAuth', sql, { subscription_required: 'SILVER' }),
  type('logstash', 'Logstash', 'Log', sql, { subscription_required: 'GOLD' }),
  type('cache_redis', 'Redis', 'Cache', sql),
  type('every_kind', 'Every kind of field', 'Cache', everyKind, { description: 'Made up: one field of each kind.' }),
  type('swagger', 'API Docs', 'API Doc', null, { singleton: true }),
  type(
    'system',
    'System Management',
    'System',
    [
      {
        name: 'default_app_id',
        label: 'Default Application',
        type: 'picklist',
        values: [
          { label: '', name: null },
          { label: 'admin', name: 1 },
        ],
      },
    ],
    { singleton: true },
  ),
];
