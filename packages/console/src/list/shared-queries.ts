// What several parts of the console read alike: under one key, so that it is read once.
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';

const maxAge = 60_000;

/** The apps of the instance by name; an instance may refuse them, which is not tried again. */
export const useAppNames = (isWanted = true) =>
  useQuery({
    queryKey: ['system', 'app', 'names'],
    queryFn: ({ signal }) =>
      api.get<{ resource?: { id: number; name: string }[] }>('system/app', {
        query: { fields: 'id,name', order: 'name asc' },
        signal,
      }),
    select: ({ resource = [] }) => resource,
    enabled: isWanted,
    staleTime: maxAge,
    retry: false,
  });
