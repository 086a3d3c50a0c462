// Choices that config fields take from the platform: its events, and records to refer to.
import type { FieldDescriptor, PickValue } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';

const choicesAge = 60_000;

/** Names of all events, for menus; loaded only when `isWanted` (C-SVC-05). A failure is shown, and the input stays free text. */
export function useEventNames(isWanted: boolean, title: string): readonly string[] {
  const { data, isError } = useQuery({
    queryKey: ['system', 'event', 'names'],
    queryFn: ({ signal }) => api.get<{ resource?: string[] }>('system/event', { query: { as_list: true }, signal }),
    enabled: isWanted,
    staleTime: choicesAge,
  });
  useEffect(() => {
    if (isError) notify.error(title, text('fields:events.failed'));
  }, [isError, title]);
  return data?.resource ?? [];
}

/** The records a `reference` field may point to: label = name, value = `ref_field` or id. */
export function useReferences(field: FieldDescriptor): { options: PickValue[]; isError: boolean } {
  const table = field.ref_table ?? '';
  const { data, isError } = useQuery({
    queryKey: ['system', table, 'references'],
    queryFn: ({ signal }) =>
      api.get<{ resource?: Record<string, unknown>[] }>(`system/${encodeURIComponent(table)}`, { signal }),
    enabled: table !== '',
    staleTime: choicesAge,
  });
  const options = (data?.resource ?? []).map((record) => ({
    label: String(record.name ?? record.label ?? record.id),
    name: (record[field.ref_field ?? 'id'] ?? record.id ?? null) as PickValue['name'],
  }));
  return { options, isError };
}
