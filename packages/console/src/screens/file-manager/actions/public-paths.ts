import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, connection, etagOf, useSession } from '../../../api/index.ts';
import { type FileItem, isPublic, publicAddress, trimSlashes } from '../../../files/index.ts';
import { text } from '../../../text/index.ts';
import { confirm, notify } from '../../../ui/index.ts';

interface ServiceRecord {
  config: { public_path?: string[] | null } | null;
}

const noPaths: readonly string[] = [];

/** Which folders and files everybody may read; administrators see and change it. */
export function usePublicPaths(service: { id: number; name: string } | undefined) {
  const client = useQueryClient();
  const isAdmin = useSession()?.is_sys_admin === true;
  const id = service?.id;
  const path = `system/service/${id}`;
  const queryKey = ['files', 'config', id];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get<ServiceRecord>(path, { query: { fields: 'id,config' }, signal }),
    enabled: isAdmin && id !== undefined,
    staleTime: 30_000,
  });
  const paths = data?.config?.public_path ?? noPaths;

  /** Makes a path public, or takes it back; asks first, with what that means. */
  const setPublic = useCallback(
    async (item: Pick<FileItem, 'path' | 'name' | 'isFolder'>, isWanted: boolean): Promise<void> => {
      if (!service) return;
      const address = publicAddress(connection.get().base || location.origin, service.name, item.path);
      const isSure = await confirm({
        message: text(isWanted ? 'files:public.ask' : 'files:public.askStop', { name: item.name }),
        impact: text(isWanted ? 'files:public.impact' : 'files:public.impactStop', {
          address: item.isFolder ? `${address}/…` : address,
        }),
        confirmLabel: text(isWanted ? 'files:public.make' : 'files:public.stop'),
      });
      if (!isSure) return;
      try {
        // On top of what is stored now: the form of the service may be open elsewhere.
        const record = await api.get<ServiceRecord>(path, { query: { fields: 'id,config' } });
        const stored = record.config?.public_path ?? [];
        const others = stored.filter((listed) => trimSlashes(listed) !== item.path);
        const etag = etagOf(record);
        await api.patch(path, {
          body: { config: { public_path: isWanted ? [...others, item.path] : others } },
          headers: etag === null ? {} : { 'If-Match': etag },
        });
        notify.success(text(isWanted ? 'files:public.made' : 'files:public.stopped', { name: item.name }));
      } catch (error) {
        notify.error(text('files:title'), error);
      } finally {
        await client.invalidateQueries({ queryKey: ['files', 'config', service.id] });
        await client.invalidateQueries({ queryKey: ['system', 'service'] });
      }
    },
    [client, path, service],
  );

  return {
    paths,
    mayChange: isAdmin,
    /** Whether the path itself is listed, so that it can be taken back here. */
    isListed: (itemPath: string) => paths.some((listed) => trimSlashes(listed) === itemPath),
    isPublic: (itemPath: string) => isPublic(itemPath, paths),
    setPublic,
  };
}

export type PublicPaths = ReturnType<typeof usePublicPaths>;
