// Where a person may begin in a file service: the root, or the folders their role names. Pure.
import type { Verb } from '@sluice/contract';
import { isWithin, nameOf, trimSlashes } from './paths.ts';

/** What a row of the role names in a service. */
export interface Grant {
  component: string;
  verbs: readonly Verb[];
}

/**
 * The folders to begin in: `['']` where the root may be listed, else those that rows with GET name. A server that does not
 * tell is asked for the root, and refuses it where it must.
 */
export function startFolders(access: readonly Grant[] | undefined): string[] {
  if (!access) return [''];
  const readable = access.filter(({ verbs }) => verbs.includes('GET')).map(({ component }) => trimSlashes(component));
  if (readable.some((component) => component === '' || component === '*')) return [''];
  const folders = readable
    .filter((component) => !component.includes('{'))
    .flatMap((component) => {
      const folder = component.replace(/\/\*$/, '');
      // A row for one file, `docs/a.txt`, is no place to begin in: what has a dot in its last part is taken for one.
      const isFile = folder === component && nameOf(folder).includes('.');
      return folder.includes('*') || isFile ? [] : [folder];
    });
  const outermost = folders.filter((folder) => !folders.some((other) => other !== folder && isWithin(folder, other)));
  return [...new Set(outermost)].sort();
}
