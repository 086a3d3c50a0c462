// The rows of service access, drawn only as far as they are in sight: a role may have a thousand.
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { useEditor } from '../../editor/index.ts';
import { useRenderedRows } from '../../list/index.ts';
import { text, useText } from '../../text/index.ts';
import type { AccessRow } from './access.ts';
import { isWrong } from './access.ts';
import { AccessForm } from './access-form.tsx';
import { AccessLine, type Told, type Unsaved } from './access-line.tsx';
import { listed, meaningOf, verbWords } from './meaning.ts';
import type { RoleForm } from './record.ts';
import classes from './roles.module.css';
import { canFilter, type Services } from './sources.ts';
import { type Change, remove } from './use-rows.ts';
import { indexRows, type RowIndex, type Warning, warningsOf } from './warnings.ts';

/** From so many rows on only those in sight are drawn. */
const virtualFrom = 60;
/** What a closed row takes before it was measured. */
const rowHeight = 72;

interface AccessListProps {
  /** Those to show. */
  rows: readonly AccessRow[];
  all: readonly AccessRow[];
  services: Services;
  open: string | null;
  setOpen: (key: string | null) => void;
  /** Key of the row that was just added. */
  fresh: RefObject<string | null>;
  change: Change;
}

export function AccessList({ rows, all, services, open, setOpen, fresh, change }: AccessListProps) {
  const t = useText('roles');
  const { form } = useEditor<RoleForm>();
  const list = useRef<HTMLUListElement>(null);
  const tell = useTold(all, services);
  const {
    rendered: drawn,
    before,
    after,
    measure,
    scrollTo,
  } = useRenderedRows(list, {
    count: rows.length,
    virtualFrom,
    keyOf: (at) => rows[at]?.key ?? at,
    rowHeight,
  });

  const opened = useRef(open);
  opened.current = open;
  const toggle = useCallback((key: string) => setOpen(opened.current === key ? null : key), [setOpen]);
  const drop = useCallback(
    (key: string) => {
      change(remove(key));
      if (opened.current === key) setOpen(null);
    },
    [change, setOpen],
  );

  // A row that was just opened from elsewhere, as a new one is, comes into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows move while one types; only opening scrolls
  useEffect(() => {
    const at = rows.findIndex(({ key }) => key === open);
    if (at >= 0) scrollTo(at);
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
        {drawn.map((at) => {
          const row = rows[at] as AccessRow;
          return (
            <AccessLine
              key={row.key}
              row={row}
              at={at}
              of={rows.length}
              {...tell(row)}
              unsaved={unsavedOf(row.key)}
              isWrong={isWrong(form.errors, row.key)}
              isOpen={row.key === open}
              onToggle={toggle}
              onRemove={drop}
              measure={measure}
            >
              {row.key === open ? (
                <AccessForm row={row} services={services} change={change} onDone={toggle} fresh={fresh} />
              ) : null}
            </AccessLine>
          );
        })}
      </ul>
      {rows.length === 0 ? <p className={classes.none}>{t('access.noMatch')}</p> : null}
    </>
  );
}

/** What is told of a row, worked out once for as long as no row changes: a look at all others is part of it. */
function useTold(all: readonly AccessRow[], services: Services): (row: AccessRow) => Told {
  const t = useText('roles');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language, other words
  return useMemo(() => {
    const index = indexRows(all);
    const told = new Map<string, Told>();
    return (row) => {
      const known = told.get(row.key) ?? tellOf(row, index, services);
      told.set(row.key, known);
      return known;
    };
  }, [all, services, t]);
}

function tellOf(row: AccessRow, index: RowIndex, services: Services): Told {
  const found = services.find(row.service_id);
  const service = row.service_id === null ? null : (found?.name ?? `#${row.service_id}`);
  const filterable = canFilter(services, found);
  // What is not there surprises enough by that.
  const warnings = found || service === null ? warningsOf(row, index, filterable) : [];
  return {
    service,
    isGone: service !== null && !found && services.isKnown,
    canFilter: filterable,
    means: meaningOf(row, service, filterable),
    warnings: warnings.map((warning) => wordsOf(warning, service ?? '')).join('\n'),
  };
}

/** The sentence for a surprise. */
const wordsOf = ({ name, mask = 0, others = [] }: Warning, service: string): string =>
  text(`roles:warnings.${name}`, {
    verbs: verbWords(mask),
    others: listed(others.map((component) => text('roles:quoted', { component }))),
    service,
  });
