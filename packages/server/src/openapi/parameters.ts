// The query parameters that operations name (contract/database-tables.md §2 and the pages of other services), described once.
import type { Schema } from './schema.ts';

export interface ParameterText {
  description: string;
  schema: Schema;
  /** A value that works anywhere the parameter is read. */
  example?: unknown;
}

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer', minimum: 0 };

const flagOf = (description: string): ParameterText => ({ description, schema: flag, example: true });
const textOf = (description: string, example?: string): ParameterText => ({
  description,
  schema: text,
  ...(example === undefined ? {} : { example }),
});

/** By name; a test names those that an operation reads and that are missing. */
export const parameterTexts: Readonly<Record<string, ParameterText>> = {
  // Records.
  fields: textOf('Fields to answer, separated by commas; * for all.', '*'),
  related: textOf('Relations to answer with each record, separated by commas; * for all.', '*'),
  filter: textOf("Which records: (price > 10) and (name like 'L%')."),
  limit: { description: 'How many records at most.', schema: count, example: 10 },
  offset: { description: 'How many records to pass over.', schema: count, example: 0 },
  after: textOf('The next page, as meta.after of the page before names it.'),
  order: textOf('Fields to order by: name ASC, id DESC.'),
  group: textOf('Fields to group by.'),
  ids: textOf('Identifiers of records, separated by commas.'),
  id_field: textOf('The field that identifies a record, instead of the key.'),
  include_count: flagOf('Answers how many records there are as meta.count.'),
  include_schema: flagOf('Answers the description of the table as meta.schema.'),
  count_only: flagOf('Answers how many records there are, and nothing else.'),
  as_list: flagOf('Answers a list of values instead of records.'),
  refresh: flagOf('Reads again what is remembered.'),
  // Packages.
  pkg: flagOf('Answers the app as a package.'),
  include_data: flagOf('Adds the records of the tables that schema names.'),
  system_only: flagOf('Only what belongs to the service system.'),
  password: textOf('The password of a secured package.'),
  overwrite: flagOf('Changes what is there already, rather than leaving it.'),
  continue: flagOf('Goes on after a record that fails.'),
  rollback: flagOf('Takes everything back when a record fails.'),
  force: flagOf('Deletes everything where nothing else selects.'),
  // Lists.
  schema: textOf(
    'The schema of the database whose names are listed; for a package its tables as JSON, {"db":["todo"]}.',
  ),
  include_access: flagOf('Answers what the caller may do with each.'),
  as_access_list: flagOf('Answers what roles may name.'),
  service: textOf('The name of a service; for a package of several, separated by commas.'),
  oauth_callback: flagOf('Completes a sign-in that came back from a provider, with all parameters it came back with.'),
  state: textOf('The state of that sign-in.'),
  code: textOf('What the provider gave for it.'),
  hours: { description: 'How many hours back.', schema: { type: 'integer', minimum: 1, maximum: 168 }, example: 24 },
  scriptable: flagOf('Answers the events that scripts can run at.'),
  // Scripts.
  name: textOf('The name of a script.'),
  storage_service_id: { description: 'The id of the service that holds a script.', schema: { type: 'integer' } },
  storage_path: textOf('Where a script lies in its service.'),
  log_output: { description: 'false: what the script prints is not logged.', schema: flag, example: false },
  // Repositories.
  page: { description: 'The number of the page.', schema: { type: 'integer', minimum: 1 }, example: 1 },
  per_page: { description: 'How many repositories a page has.', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  path: textOf('A path within the repository.'),
  branch: textOf('The branch.', 'master'),
  tag: textOf('The tag, where no branch is named.'),
  // Directories.
  user: textOf('The account of a user: their groups alone.', 'jo'),
  // Caches.
  ttl: { description: 'Minutes that the value is kept.', schema: { type: 'integer', minimum: 1 }, example: 60 },
  forever: flagOf('Keeps the value until it is deleted.'),
  default: textOf('Answered where there is no value.'),
  clear: flagOf('Deletes the value as well.'),
  pull: flagOf('Deletes the value as well.'),
  // Messages.
  topic: textOf('The topic.', 'site/temperature'),
  application: textOf('The app whose devices are listed, of a service that sends to devices.'),
  api_key: textOf('The API key of the app that is meant, where it is another one than that of the call.'),
  // Files.
  include_files: flagOf('Lists files.'),
  include_folders: flagOf('Lists folders.'),
  full_tree: flagOf('Lists what is in folders below, too.'),
  search: textOf('A part of the names to list.'),
  include_properties: flagOf('Answers the properties of the folder or the file.'),
  zip: flagOf('Answers a zip file.'),
  url: textOf('An address to take the file from.'),
  filename: textOf('The name of the file.', 'example.txt'),
  extract: flagOf('Unpacks a zip file.'),
  clean: flagOf('Empties the folder first.'),
  check_exist: flagOf('Refuses what is there already.'),
  download: flagOf('Answers the file as a download.'),
  content: flagOf('Answers the content with the properties.'),
  is_base64: flagOf('Answers the content in base64.'),
  no_check: flagOf('Succeeds also where there is no such file.'),
  content_only: flagOf('Deletes what is in the folder and keeps the folder.'),
  // Mails and accounts.
  template: textOf('The name of an email template.'),
  template_id: { description: 'The id of an email template.', schema: { type: 'integer' } },
  resource: textOf('The name of a new table.', 'contacts'),
  import_url: textOf('An address to take the file from.'),
  login: flagOf('Signs in at once.'),
  reset: flagOf('Asks for a mail with a code.'),
  // Documents.
  openapi: {
    description: 'The version of OpenAPI: 3.0 as older servers have it, or 3.1.',
    schema: { type: 'string', enum: ['3.0', '3.1'] },
    example: '3.1',
  },
  file: textOf('Answers a download of this name.', 'api.json'),
};
