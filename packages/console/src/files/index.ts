// What of file services more than one screen shows: their folders and files, paths, the tree of folders, the choice of a place.
// The manager itself is screens/file-manager/.

export { type Grant, startFolders } from './access.ts';
export { FileIcon } from './file-icon.tsx';
export { type FolderDrop, FolderTree } from './folder-tree.tsx';
export { useSizeText } from './format.ts';
export { endingOf, type FileKind, kindOf, languageOf } from './kind.ts';
export {
  filePath,
  folderPath,
  foldersTo,
  freeName,
  isPublic,
  isWithin,
  joinPath,
  nameOf,
  nameProblem,
  parentOf,
  publicAddress,
  splitName,
  trimSlashes,
} from './paths.ts';
export { type ChosenPlace, PlacePicker } from './place-picker.tsx';
export {
  type FileItem,
  type FileService,
  fileServicesQuery,
  folderKey,
  folderQuery,
  itemOf,
  readItems,
  refreshService,
  searchQuery,
  subfoldersQuery,
  useFileServices,
  useFolder,
} from './sources.ts';
