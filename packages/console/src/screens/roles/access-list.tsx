// The rows of service access, rendered only as far as they are in sight: a role may have a thousand.
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { useEditor } from '../../editor/index.ts';
import { useRenderedRows } from '../../list/index.ts';
import { joinList, text, useText } from '../../text/index.ts';
import type { AccessRow } from './access.ts';
import { hasRowError } from './access.ts';
import { AccessForm } from './access-form.tsx';
import { AccessLine, type RowSummary, type Unsaved } from './access-line.tsx';
import { isKnownComponent } from './matching.ts';
import { meaningOf, verbsPhrase } from './meaning.ts';
import type { RoleForm } from './record.ts';
import classes from './roles.module.css';
import { canFilter, type Services } from './sources.ts';
import { type ChangeRows, rowRemoval } from './use-rows.ts';
import { administers, indexRows, type RowIndex, type Warning, warningsOf } from './warnings.ts';

/** From so many rows on, only those in sight are rendered. */
const virtualFrom = 60;
/** What a closed row takes before it was measured. */
const rowHeight = 72;

interface AccessListProps {
  /** Those to show. */
  rows: readonly AccessRow[];
  all: readonly AccessRow[];
  services: Services;
  /** What there is in the services that rows name. */
  components: ReadonlyMap<number, readonly string[]>;
  open: string | null;
  setOpen: (key: string | null) => void;
  /** Key of the row that was just added. */
  newRowKey: RefObject<string | null>;
  changeRows: ChangeRows;
}

export function AccessList({ rows, all, services, components, open, setOpen, newRowKey, changeRows }: AccessListProps) {
  const t = useText('roles');
  const { form } = useEditor<RoleForm>();
  const list = useRef<HTMLUListElement>(null);
  const summaryOf = useRowSummaries(all, services, components);
  const { rendered, before, after, measure, scrollTo } = useRenderedRows(list, {
    count: rows.length,
    virtualFrom,
    rowKey: (index) => rows[index]?.key ?? index,
    rowHeight,
  });

  const openKey = useRef(open);
  openKey.current = open;
  const toggleRow = useCallback((key: string) => setOpen(openKey.current === key ? null : key), [setOpen]);
  const removeAccess = useCallback(
    (key: string) => {
      changeRows(rowRemoval(key));
      if (openKey.current === key) setOpen(null);
    },
    [changeRows, setOpen],
  );

  // A row that was opened by another part, as a new one is, is scrolled into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows move while one types; only opening scrolls
  useEffect(() => {
    const index = rows.findIndex(({ key }) => key === open);
    if (index >= 0) scrollTo(index);
  }, [open]);

  const { added, changed } = form.values.access;
  const isNew = new Set(added.map(({ key }) => key));
  const unsavedOf = (key: string): Unsaved => (isNew.has(key) ? 'new' : key in changed ? 'changed' : null);
  return (
    <>
      <div className={classes.heads} aria-hidden>
        <span>{t('access.service')}</span>
        <span>{t('access.component')}</span>
        <span>{t('access.verbs')}</span>
        <span>{t('access.requestor')}</span>
        <span>{t('access.filters')}</span>
      </div>
      <ul ref={list} className={classes.rows} style={{ paddingBlock: `${before}px ${after}px` }}>
        {rendered.map((index) => {
          const row = rows[index] as AccessRow;
          return (
            <AccessLine
              key={row.key}
              row={row}
              index={index}
              rowCount={rows.length}
              {...summaryOf(row)}
              unsaved={unsavedOf(row.key)}
              hasError={hasRowError(form.errors, row.key)}
              isOpen={row.key === open}
              onToggle={toggleRow}
              onRemove={removeAccess}
              measure={measure}
            >
              {row.key === open ? (
                <AccessForm
                  row={row}
                  services={services}
                  changeRows={changeRows}
                  onDone={toggleRow}
                  newRowKey={newRowKey}
                />
              ) : null}
            </AccessLine>
          );
        })}
      </ul>
      {rows.length === 0 ? <p className={classes.none}>{t('access.noMatch')}</p> : null}
    </>
  );
}

/** What a row shows, worked out once for as long as no row changes: a look at all others is part of it. */
function useRowSummaries(
  all: readonly AccessRow[],
  services: Services,
  components: AccessListProps['components'],
): (row: AccessRow) => RowSummary {
  const t = useText('roles');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language, other words
  return useMemo(() => {
    const index = indexRows(all);
    const numbers = new Map(all.map(({ key }, place) => [key, place + 1]));
    const summaries = new Map<string, RowSummary>();
    return (row) => {
      const summary = summaries.get(row.key) ?? {
        ...summarizeRow(row, index, services, components),
        number: numbers.get(row.key) ?? 0,
      };
      summaries.set(row.key, summary);
      return summary;
    };
  }, [all, services, components, t]);
}

function summarizeRow(
  row: AccessRow,
  index: RowIndex,
  services: Services,
  components: AccessListProps['components'],
): Omit<RowSummary, 'number'> {
  const knownService = services.find(row.service_id);
  const service = row.service_id === null ? null : (knownService?.name ?? `#${row.service_id}`);
  const isFilterable = canFilter(services, knownService);
  // A service that does not exist is surprise enough.
  const warnings = knownService || service === null ? warningsOf(row, index, isFilterable) : [];
  const known = knownService && components.get(knownService.id);
  if (known && !isKnownComponent(row.component, known))
    warnings.unshift({ name: 'noComponent', others: [row.component.trim()] });
  if ((service === null || service.toLowerCase() === 'system') && administers(row))
    warnings.push({ name: 'administers' });
  if (knownService?.isActive === false) warnings.unshift({ name: 'inactiveService' });
  return {
    service,
    type: services.typeOf(knownService),
    isInactive: knownService?.isActive === false,
    isGone: service !== null && !knownService && services.isLoaded,
    canFilter: isFilterable,
    meaning: meaningOf(row, service, isFilterable),
    warnings: warnings.map((warning) => warningText(warning, service ?? '')).join('\n'),
  };
}

/** The sentence for a surprise. */
const warningText = ({ name, mask = 0, others = [] }: Warning, service: string): string =>
  text(`roles:warnings.${name}`, {
    verbs: verbsPhrase(mask),
    others: joinList(others.map((component) => text('roles:quoted', { component }))),
    service,
  });
