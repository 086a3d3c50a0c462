// What calls of packages take and answer, for the API docs.
import type { ObjectShape } from '../../service/operation.ts';

const header: ObjectShape = {
  version: { type: 'string', description: 'The version of the format.' },
  df_version: { type: 'string', description: 'The level of the contract of the instance that made it.' },
  secured: { type: 'boolean' },
  description: { type: 'string' },
  created_date: { type: 'string' },
};

const service = {
  type: 'object',
  description: 'By name of a service: lists by resource, of file services a list of paths.',
} as const;

export const manifestFields: ObjectShape = { ...header, service };

export const exportFields: ObjectShape = {
  secured: { type: 'boolean', description: 'Whether the archive is encrypted.' },
  password: { type: 'string', description: 'Of a secured archive, six characters or more.' },
  storage: {
    type: 'object',
    fields: {
      name: { type: 'string', description: 'A file service.', example: 'files' },
      folder: { type: 'string', example: '__EXPORTS' },
      filename: { type: 'string' },
    },
  },
  service: { ...service, required: true, example: { system: { app: ['admin'] } } },
};

export const packageForm: ObjectShape = {
  files: { type: 'file', description: 'A package.' },
  import_url: { type: 'string', description: 'Where a package is, in place of a file.' },
  password: { type: 'string', description: 'Of a secured package.' },
  overwrite: { type: 'boolean', description: 'Changes what is there already, rather than leaving it.' },
};

export const packageAnswer: ObjectShape = {
  success: { type: 'boolean' },
  path: { type: 'string', description: 'Of an export: the address of the archive.' },
  is_public: { type: 'boolean', description: 'Of an export: whether everybody may read the archive.' },
  log: { description: 'Of an import: texts by `notice`, `warning` and `error`; an empty list where there are none.' },
};

export const appForm: ObjectShape = {
  file: { type: 'file', description: 'An app package, whose name ends with .dfpkg.', required: true },
  storage_service_id: { type: 'integer', description: 'The file service for its files; 0: the first local one.' },
  storage_container: { type: 'string', description: 'The folder for its files; empty: named after the app.' },
};
