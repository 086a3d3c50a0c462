// What every file service is: a type made of a folder's few facts and a function that opens a `Storage` (storage.ts), with
// the calls of this room. Nothing here knows a type; services/<type> says how its storage is opened.
import { join } from 'node:path';
import { type ConfigFields, type ConfigOf, fail, configField as field } from '@sluice/contract';
import { TypedMap } from '../call/typed-map.ts';
import { fetcher } from '../fetch/index.ts';
import { routesOf } from '../service/operation.ts';
import { type ServiceContext, type ServiceType, serviceType, type TypeDefinition } from '../service/service.ts';
import { deleteFileCall, deleteFolderCall } from './delete.ts';
import type { FileService } from './file-service.ts';
import { parsePath } from './path.ts';
import { readFileCall, readFolderCall } from './read.ts';
import { addressableOnly, openStorage, type Storage } from './storage.ts';
import { refuseProperties, writeFileCall, writeFolderCall } from './write.ts';

/** The fields of every file service; the container has a label of its type. */
export const pathFields = (container: { label: string; description: string; destination?: true }) => ({
  public_path: field.strings({
    label: 'Public Path',
    description: 'Folders and files that everybody may read without signing in.',
  }),
  container: field.text({ ...container, checkedByType: true }),
});

interface FileType<F extends ConfigFields>
  extends Pick<
    TypeDefinition<F, FileService>,
    'name' | 'label' | 'description' | 'tier' | 'config' | 'check' | 'address' | 'test' | 'fixedDestination'
  > {
  /** Bytes that an upload may have. */
  uploadLimit: number;
  open(config: ConfigOf<F>, context: ServiceContext): Promise<Storage>;
}

/** Declares a type of file services. */
export const fileType = <F extends ConfigFields>({ open, check, uploadLimit, ...facts }: FileType<F>): ServiceType<F> =>
  serviceType<F, FileService>({
    ...facts,
    group: 'File',
    can: { files: true },
    check(config) {
      if (!String(config.container ?? '').trim()) throw containerRequired();
      for (const path of (config.public_path as string[] | null | undefined) ?? []) parsePath(path.replace(/^\//, ''));
      check?.(config);
    },
    routes: fileRoutes(uploadLimit),
    async open(config, context) {
      const storage = addressableOnly(await open(config, context));
      return {
        storage,
        container: String(config.container ?? ''),
        fetch: context.require(fetcher),
        uploadLimit,
        temporaryFolder: join(context.dataFolder, 'temporary'),
        provides: new TypedMap().set(openStorage, storage),
        close: async () => storage.close?.(),
      };
    },
  });

/** The contract has the text of a missing field, although its descriptor does not say that it is required. */
const containerRequired = () => {
  const message = 'The container field is required.';
  return fail('record.invalid', { messages: [message] }, { context: { container: [message] } });
};

const listParameters = [
  ...['include_files', 'include_folders', 'full_tree', 'search', 'as_list', 'fields', 'include_properties', 'zip'],
];
const writeParameters = ['url', 'filename', 'extract', 'clean', 'check_exist'];

/** The addresses of a file service: its root, and paths below it, folders with a trailing slash and files without one. */
function fileRoutes(limit: number) {
  const route = routesOf<FileService>();
  const streams = { limit };
  const writeFolder = {
    summary: 'Write files and folders',
    parameters: writeParameters,
    body: 'any value',
    streams,
    answer: 'object',
    status: 201,
    errors: ['file.badPath', 'file.exists', 'file.folderExists', 'file.tooManyItems', 'file.notZip'],
  } as const;
  const writeFile = {
    summary: 'Write a file',
    parameters: ['extract', 'clean', 'check_exist'],
    body: 'bytes',
    streams,
    answer: 'object',
    status: 201,
    errors: ['file.badPath', 'file.exists', 'file.folderExists', 'file.folderMissing', 'file.stale', 'file.notZip'],
  } as const;
  const changeProperties = {
    summary: 'Change properties',
    body: 'object',
    answer: 'success',
    errors: ['file.propertiesNotImplemented'],
  } as const;
  return [
    route('', {
      GET: {
        ...{ summary: 'List the root folder', parameters: [...listParameters, 'as_access_list'], answer: 'records' },
        handle: (call, _values, service) => readFolderCall(call, service, ''),
      },
      POST: { ...writeFolder, handle: (call, _values, service) => writeFolderCall(call, service, '') },
      PUT: { ...writeFolder, handle: (call, _values, service) => writeFolderCall(call, service, '') },
      PATCH: { ...changeProperties, handle: () => refuseProperties('container') },
      DELETE: {
        ...{ summary: 'Delete files and folders', parameters: ['force'], body: 'records', answer: 'records' },
        errors: ['file.noResources', 'file.tooManyItems'],
        handle: (call, _values, service) => deleteFolderCall(call, service, ''),
      },
    }),
    route('{+file_path}', {
      GET: {
        ...{
          summary: 'Read a file',
          parameters: ['download', 'include_properties', 'content', 'is_base64'],
          answer: 'bytes',
          errors: ['file.badPath', 'file.notFound'],
        },
        handle: (call, { file_path }, service) => readFileCall(call, service, file_path),
      },
      POST: { ...writeFile, handle: (call, { file_path }, service) => writeFileCall(call, service, file_path) },
      PUT: { ...writeFile, handle: (call, { file_path }, service) => writeFileCall(call, service, file_path) },
      PATCH: { ...changeProperties, handle: () => refuseProperties('file') },
      DELETE: {
        ...{ summary: 'Delete a file', parameters: ['no_check'], answer: 'object' },
        errors: ['file.badPath', 'file.deleteMissing'],
        handle: (call, { file_path }, service) => deleteFileCall(call, service, file_path),
      },
    }),
    route(
      '{+folder_path}',
      {
        GET: {
          ...{ summary: 'List a folder', parameters: listParameters, answer: 'records' },
          errors: ['file.badPath', 'file.folderNotFound'],
          handle: (call, { folder_path }, service) => readFolderCall(call, service, folder_path),
        },
        POST: {
          ...writeFolder,
          handle: (call, { folder_path }, service) => writeFolderCall(call, service, folder_path),
        },
        PUT: {
          ...writeFolder,
          handle: (call, { folder_path }, service) => writeFolderCall(call, service, folder_path),
        },
        PATCH: { ...changeProperties, handle: () => refuseProperties('folder') },
        DELETE: {
          ...{ summary: 'Delete a folder', parameters: ['force', 'content_only'], body: 'records', answer: 'object' },
          errors: ['file.badPath', 'file.notEmpty', 'file.tooManyItems'],
          handle: (call, { folder_path }, service) => deleteFolderCall(call, service, folder_path),
        },
      },
      { keepsSlash: true, endsInSlash: true },
    ),
  ];
}

export { deleteTree } from './delete.ts';
export { checkTargets } from './extract.ts';
export { authorizePath } from './file-service.ts';
export { joinPath, parentOf, parsePath } from './path.ts';
export { findFile, openFile } from './read.ts';
export { openStorage, type Storage, type StorageEntry } from './storage.ts';
