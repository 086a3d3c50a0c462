import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { type ImportArea, type ListArea, type ListTexts, useSectionTexts, useText } from '../text/index.ts';
import {
  confirm,
  Empty,
  Failed,
  FailedLine,
  Loading,
  NoMatch,
  notify,
  Page,
  type PageTab,
  useNarrowWindow,
} from '../ui/index.ts';
import type { Column, Row } from './column.tsx';
import { cellText } from './column.tsx';
import { useColumnChoice, useDensity } from './column-choice.ts';
import { ColumnMenu } from './column-menu.tsx';
import { ExportMenu } from './export-menu.tsx';
import { ImportButton } from './import-dialog.tsx';
import classes from './list.module.css';
import { ListCards } from './list-cards.tsx';
import { ListTable } from './list-table.tsx';
import { type RowAction, RowMenu } from './row-menu.tsx';
import type { Id } from './selection.ts';
import { ListToolbar } from './toolbar.tsx';
import { type DeleteQuery, type ListController, type ListSource, useListController } from './use-list-controller.ts';

interface ListScreenOptions extends Omit<ListSource, 'sortable' | 'sortedHere' | 'title'> {
  columns: readonly Column[];
  /** Address of the section: rows open at `{base}/{id}`, new ones at `{base}/create`. */
  base: string;
  /** The tabs of the section, where they are not the list and the editor of a new record. */
  tabs?: PageTab[];
  /** Where a new record begins; `{base}/create` when absent. */
  createAt?: string;
  /** What a row is called in questions; its `name` when absent. */
  nameOf?: (row: Row) => string;
  /** What can be done with a row besides opening and deleting it. */
  actions?: (list: ListController) => RowAction[];
  /** A button of each row in sight, beside its menu. */
  rowButton?: (row: Row) => ReactNode;
  /** What else can be done with the rows ticked. */
  bulkActions?: (list: ListController) => ReactNode;
  /** Gets the rows of the page, whenever they are others. */
  onRows?: (rows: readonly Row[]) => void;
  /** More of the query that deletes; runs once the deletion was confirmed. */
  deleteQuery?: (rows: Row[], isMany: boolean) => Promise<DeleteQuery>;
  /** More buttons for the title row. */
  buttons?: ReactNode;
  /** Records can be downloaded as a file (PPL-011). */
  exportable?: boolean;
  /** A warning about these rows in the question before their deletion. */
  warning?: (rows: readonly Row[]) => string | null | Promise<string | null>;
  /** Stands between the title and the tabs. */
  above?: ReactNode;
}

export type ListScreenProps = ListScreenOptions &
  (
    | {
        /** The area of texts whose words the list says (text/section-texts.ts). */
        texts: ListArea;
        importable?: false;
      }
    | {
        texts: ImportArea;
        /** Records can be taken in from a file; for records that cannot be there twice (PPL-010). */
        importable: true;
      }
  );

/** A whole list screen: title, toolbar, rows, and every state between. */
export function ListScreen(props: ListScreenProps) {
  const { columns, base, buttons, exportable, onRows } = props;
  const { resource, path = `system/${resource}` } = props;
  const t = useText('list');
  const texts = useSectionTexts(props.texts);
  const { title, loadFailed } = texts;
  const { pathname, search } = useLocation();
  const list = useListController({
    ...props,
    title,
    sortable: columns.filter((column) => column.sortable).map((column) => column.name),
    sortedHere: Object.fromEntries(columns.flatMap(({ name, sortBy }) => (sortBy ? [[name, sortBy]] : []))),
  });
  const { rows } = list;
  useEffect(() => onRows?.(rows), [onRows, rows]);
  const hasFailed = list.error !== null && list.rows.length === 0 && !list.isForbidden;
  useEffect(() => {
    if (hasFailed && loadFailed) notify.error(title, loadFailed);
  }, [hasFailed, loadFailed, title]);
  const isEmpty = !list.isLoading && !list.error && list.count === 0 && list.state.filter === '';
  return (
    <Page
      title={title}
      count={list.isLoading || list.error ? undefined : list.count}
      tabs={props.tabs ?? sectionTabs(base, texts, { from: pathname + search })}
      above={props.above}
      actions={
        <>
          {texts.imported && props.importable ? (
            <ImportButton list={list} path={path} imported={texts.imported} things={texts.things} />
          ) : null}
          {exportable && !isEmpty ? <ExportMenu resource={resource} path={path} /> : null}
          {buttons}
        </>
      }
    >
      {isEmpty ? (
        <Empty
          title={texts.empty}
          text={texts.emptyHint}
          action={
            <Button
              component={Link}
              to={props.createAt ?? `${base}/create`}
              leftSection={<IconPlus className={classes.icon} aria-hidden />}
            >
              {texts.emptyAction}
            </Button>
          }
        />
      ) : list.isForbidden ? null : hasFailed ? (
        <Failed error={list.error} onRetry={list.retry} title={loadFailed ?? t('failed')} />
      ) : (
        <ListPanel {...props} list={list} texts={texts} />
      )}
    </Page>
  );
}

const sectionTabs = (base: string, { manage, create }: ListTexts, state: unknown): PageTab[] => [
  { label: manage, to: base, end: true },
  { label: create, to: `${base}/create`, state },
];

type PanelProps = ListScreenOptions & { list: ListController; texts: ListTexts };

function ListPanel(props: PanelProps) {
  const {
    list,
    columns,
    texts,
    base,
    nameOf = defaultName,
    actions,
    rowButton,
    bulkActions,
    deleteQuery,
    resource,
    search,
    warning,
  } = props;
  const { path = `system/${resource}` } = props;
  const t = useText('list');
  const location = useLocation();
  const isPhone = useNarrowWindow('sm');
  const columnChoice = useColumnChoice(resource);
  const [isCompact, setCompact] = useDensity();
  const shown = columns.filter((column) => column.opens || !columnChoice.choice.hidden.includes(column.name));

  const impactOf = async (impact: string, rows: readonly Row[]) =>
    [impact, await warning?.(rows)].filter(Boolean).join('\n');
  const removeOne = async (row: Row) => {
    const message = t('deleteOne', { name: nameOf(row) });
    const impact = await impactOf(texts.deleteImpact ?? t('deleteOneImpact'), [row]);
    const isConfirmed = await confirm({ message, impact, danger: true });
    if (!isConfirmed) return;
    const query = await deleteQuery?.([row], false);
    if (await list.remove(row[list.identifier] as Id, query)) notify.success(texts.deleted);
  };
  const removeSelected = async () => {
    const selected = list.rows.filter((row) => list.selection.ids.has(row[list.identifier] as Id));
    const impact = await impactOf(t('deleteManyImpact', { count: selected.length }), selected);
    const isSure = await confirm({ message: texts.deleteMany, impact, danger: true });
    if (!isSure) return;
    const query = await deleteQuery?.(selected, true);
    if (await list.removeSelected(query)) notify.success(texts.deletedMany);
  };

  const rowActions = actions?.(list) ?? [];
  const rowProps = {
    list,
    columns: shown,
    label: texts.title,
    base,
    nameOf,
    addressOf: (row: Row) => `${base}/${encodeURIComponent(String(row[list.identifier]))}`,
    linkState: { from: location.pathname + location.search },
  };
  const menuOf = (row: Row) => (
    <span className={classes.rowEnd}>
      {rowButton?.(row)}
      <RowMenu
        row={row}
        name={nameOf(row)}
        to={rowProps.addressOf(row)}
        state={rowProps.linkState}
        actions={rowActions}
        onDelete={list.isDeletable(row) ? () => void removeOne(row) : undefined}
      />
    </span>
  );

  return (
    <section className={classes.panel} aria-label={texts.title} data-list>
      <ListToolbar
        list={list}
        things={texts.things}
        hasFilter={search.length > 0}
        onDelete={() => void removeSelected()}
        bulkActions={
          <>
            {bulkActions?.(list)}
            {props.exportable && !isPhone ? (
              <ExportMenu resource={resource} path={path} ids={[...list.selection.ids]} size="xs" />
            ) : null}
          </>
        }
        menu={
          isPhone ? null : (
            <ColumnMenu columns={columns} columnChoice={columnChoice} isCompact={isCompact} setCompact={setCompact} />
          )
        }
      />
      {list.isFetching && !list.isLoading ? <div className={classes.progress} aria-hidden /> : null}
      {list.error ? (
        <div className={classes.stale}>
          <FailedLine onRetry={list.retry}>{t('stale', { reason: list.error.message })}</FailedLine>
        </div>
      ) : null}
      {list.isLoading ? (
        <div className={classes.skeleton}>
          <Loading shape="rows" count={isPhone ? 6 : 10} />
        </div>
      ) : list.rows.length === 0 ? (
        <NoMatch title={texts.noMatch ?? t('noMatch', { filter: list.state.filter })} onClear={list.filter.clear} />
      ) : isPhone ? (
        <ListCards {...rowProps} menuOf={menuOf} />
      ) : (
        <ListTable
          {...rowProps}
          menuOf={menuOf}
          rowButtons={rowButton ? 2 : 1}
          columnChoice={columnChoice}
          isCompact={isCompact}
        />
      )}
    </section>
  );
}

const defaultName = (row: Row) => cellText(row.name ?? row.id);
