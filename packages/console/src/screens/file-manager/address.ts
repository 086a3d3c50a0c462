// What the address of the file manager says: the folder, the file that is open, order and search.
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { isWithin, trimSlashes } from '../../files/index.ts';
import { type FileOrder, readOrder, writeOrder } from './listing/order.ts';

export interface FileAddress {
  service: string;
  /** Where one is. */
  folder: string;
  /** Above this folder nothing is offered (`allowroot=false` of older addresses); '' for no bound. */
  root: string;
  /** The path of the file whose pane is open. */
  file: string | null;
  order: FileOrder;
  search: string;
  /** Whether the search goes below the folder. */
  isDeep: boolean;
  /** The address of another place of the same manager; what is not given is as in a fresh one, but for order and root. */
  to: (place: Partial<Pick<FileAddress, 'service' | 'folder' | 'file' | 'search' | 'isDeep' | 'order'>>) => string;
}

/** `base` is where this manager lies: `/file-manager`, or the older `/filemanager`. */
export function useFileAddress(base: string): FileAddress {
  const { service = '' } = useParams();
  const [params] = useSearchParams();
  return useMemo(() => {
    const root = trimSlashes(params.get('root') ?? '');
    const wanted = trimSlashes(params.get('path') ?? '');
    const folder = isWithin(wanted, root) ? wanted : root;
    const order = readOrder(params.get('order'));
    return {
      service,
      folder,
      root,
      file: params.get('open'),
      order,
      search: params.get('find') ?? '',
      isDeep: params.get('below') === 'true',
      to: (place) => {
        const target = place.service ?? service;
        const query = new URLSearchParams();
        const path = place.folder ?? (target === service ? folder : '');
        if (path !== '') query.set('path', `${path}/`);
        if (place.file) query.set('open', place.file);
        const orderText = writeOrder(place.order ?? order);
        if (orderText) query.set('order', orderText);
        if (place.search) query.set('find', place.search);
        if (place.search && place.isDeep) query.set('below', 'true');
        if (root !== '' && target === service) query.set('root', `${root}/`);
        const search = query.toString();
        return `${base}/${encodeURIComponent(target)}${search && `?${search}`}`;
      },
    };
  }, [base, service, params]);
}

/**
 * Where an older address leads: `path=/` to the first service, `path=/files/docs/` to a folder of a service, `path=docs/` to a folder
 * of the first one. With `allowroot=false` one stays at that folder and below it.
 */
export function placeOfOldAddress(
  search: string,
  services: readonly string[],
): { service: string; folder: string; root: string } {
  const params = new URLSearchParams(search);
  const path = trimSlashes(params.get('path') ?? '');
  const [first = '', ...rest] = path.split('/');
  const named = services.find((name) => name.toLowerCase() === first.toLowerCase());
  const [service, folder] = named === undefined ? [services[0] ?? '', path] : [named, rest.join('/')];
  return { service, folder, root: params.get('allowroot') === 'false' ? folder : '' };
}
