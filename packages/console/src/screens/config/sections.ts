// The tabs of Config, in order, each with what it loads (CFG-002, CFG-054). A later tab is a line here and one in index.tsx.
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { api, type QueryValue, useEnvironment } from '../../api/index.ts';
import { resourceKey } from '../../list/index.ts';

export type SectionName = 'environment' | 'cache' | 'cors' | 'emailTemplate' | 'lookup' | 'chat';

interface ConfigSection {
  name: SectionName;
  /** Last part of its address. */
  path: string;
  /** It loads `system/{resource}` with this query (C-CFG-01…06). */
  resource: string;
  load: Record<string, QueryValue>;
}

const sections: readonly ConfigSection[] = [
  { name: 'environment', path: 'system-info', resource: 'environment', load: {} },
  { name: 'cache', path: 'cache', resource: 'cache', load: { fields: '*' } },
  { name: 'cors', path: 'cors', resource: 'cors', load: { include_count: true } },
  { name: 'emailTemplate', path: 'email-templates', resource: 'email_template', load: { include_count: true } },
  { name: 'lookup', path: 'lookup-keys', resource: 'lookup', load: { include_count: true } },
  { name: 'chat', path: 'live-chat', resource: 'custom', load: {} },
];

/** More of the query that deletes entries (CFG-055). */
export const deleteQuery = async () => ({ fields: '*' });

/** The address of a tab. */
export const sectionAddress = (name: SectionName): string =>
  `/config/${sections.find((section) => section.name === name)?.path ?? ''}`;

export interface LoadedSection extends ConfigSection {
  query: UseQueryResult<unknown>;
}

/** All tabs with what they loaded; that of the live chat where there is one. */
export function useSections(): LoadedSection[] {
  const hasChat = useEnvironment().live_chat !== undefined;
  const offered = hasChat ? sections : sections.filter(({ name }) => name !== 'chat');
  const queries = useQueries({
    queries: offered.map(({ resource, load }) => ({
      queryKey: [...resourceKey(resource), 'config', load],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.get<unknown>(`system/${resource}`, { query: load, signal }),
    })),
  });
  return offered.map((section, index) => ({ ...section, query: queries[index] as UseQueryResult<unknown> }));
}
