// Words of the Schema screen, an area a room: `useText('schema')`, then `t('field.title')`. Those in the documents stay word for
// word (SCH-017…SCH-053).
import { diagram } from './diagram.ts';
import { field } from './field.ts';
import { history } from './history.ts';
import { palette } from './palette.ts';
import { paste } from './paste.ts';
import { plan } from './plan.ts';
import { relation } from './relation.ts';
import { table } from './table.ts';
import { upload } from './upload.ts';

export const schema = {
  title: 'Schema',
  manage: 'Manage',
  selectService: 'Service',
  serviceBlank: '-- Select Service --',
  selectTable: 'Table',
  tableBlank: '-- Select Table --',
  reload: 'Reload {{service}}',
  refreshed: '{{service}} is refreshed.',
  loadFailed: 'There was an error loading the Schema tab. Please try refreshing your browser and logging in again.',
  create: 'Create',
  createOtherwise: 'Other ways to make a table',
  uploadJson: 'Upload JSON',
  pasteTable: 'From CSV or JSON',
  drop: 'Drop',
  showDiagram: 'Diagram',
  noServices: 'No database is connected yet',
  noServicesText: 'Tables of every database service are made and changed here. Connect a database to begin.',
  connect: 'Connect a database',
  chooseService: 'Choose a database',
  chooseServiceText: 'Pick the service whose tables you want to see or change.',
  unknownService: 'There is no database service “{{name}}”',
  unknownServiceText: 'It may have been renamed, switched off or deleted, or your role does not include it.',
  noTable: 'No Table selected',
  noTableText: 'Choose one, or make a new one: field by field, from schema JSON, or from data you paste.',
  noTables: 'This database has no tables',
  noTablesText: 'Make the first one: field by field, from schema JSON, or from data you paste.',
  tablesFailed: 'The tables of {{service}} could not be read',
  tableFailed: '{{table}} could not be read',
  tableMissing: 'There is no table “{{table}}”',
  tableMissingText: 'It may have been renamed or dropped.',
  leftOut_one: '{{count}} table is left out: your role does not let you read its description, or it is gone.',
  leftOut_other: '{{count}} tables are left out: your role does not let you read their descriptions, or they are gone.',
  save: 'Save',
  cancel: 'Cancel',
  confirmUnsaved: 'You have unsaved changes. Do you want to leave without saving them?',
  /** How drafts of forms are called. */
  draft: {
    newTable: 'New table',
    table: 'Table {{table}}',
    field: 'A field of {{table}}',
    relation: 'A relation of {{table}}',
  },
  diagram,
  field,
  history,
  palette,
  paste,
  plan,
  relation,
  table,
  upload,
};
