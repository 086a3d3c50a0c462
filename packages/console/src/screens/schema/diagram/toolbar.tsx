// What stands around the drawing: search, what is drawn, export; zoom; the actions on the table that is selected.
import { ActionIcon, Button, Menu, SegmentedControl, Text } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconMaximize,
  IconMinus,
  IconPlus,
  IconX,
} from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { useHasScreen } from '../../../frame/screen-list.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import { SearchInput } from '../../../ui/index.ts';
import { paneAddress, tableAddress } from '../address/addresses.ts';
import type { FieldChoice } from './boxes.ts';
import classes from './diagram.module.css';
import { canAddFields, type DiagramTable } from './model.ts';
import type { PictureKind } from './save-picture.ts';
import type { Scope } from './use-scope.ts';
import type { SearchControl } from './use-search.ts';
import type { ViewportControl } from './use-viewport.ts';
import { zoomStep } from './viewport.ts';

export function Search({ search }: { search: SearchControl }) {
  const { text, setText, matches, index, go } = search;
  const count = matches.length;
  const t = useText('schema');
  const isEmpty = text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && text !== '') setText('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const outcome =
    count === 0
      ? t('diagram.noMatch')
      : index < 0
        ? t('diagram.matches', { count })
        : t('diagram.matchOf', { index: formatNumber(index + 1), count });
  return (
    <div className={classes.search}>
      <SearchInput
        label={t('diagram.search')}
        value={text}
        onChange={setText}
        clearLabel={t('diagram.clearSearch')}
        onKeyDown={onKeyDown}
        size="xs"
        data-filter
      />
      <span className={classes.soft} role="status">
        {isEmpty ? '' : outcome}
      </span>
      {isEmpty || count < 2 ? null : (
        <ActionIcon.Group>
          <ActionIcon variant="default" size="md" aria-label={t('diagram.previous')} onClick={() => go(-1)}>
            <IconArrowUp className={classes.icon} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" size="md" aria-label={t('diagram.next')} onClick={() => go(1)}>
            <IconArrowDown className={classes.icon} aria-hidden />
          </ActionIcon>
        </ActionIcon.Group>
      )}
    </div>
  );
}

interface ToolbarProps {
  title: string;
  note: string;
  /** The other ways to see the table, where one is chosen. */
  views: ReactNode;
  search: ReactNode;
  scope: Scope;
  onDepth: (depth: number | null) => void;
  choice: FieldChoice;
  onChoice: (choice: FieldChoice) => void;
  onLayOut: () => void;
  onExport: (kind: PictureKind) => void;
  isDrawn: boolean;
}

export function Toolbar(props: ToolbarProps) {
  const { title, note, search, scope, onDepth, choice, onChoice, isDrawn } = props;
  const t = useText('schema');
  return (
    <header className={classes.bar}>
      <div className={classes.titleRow} data-whole={props.views ? true : undefined}>
        <h1 className={classes.title}>{title}</h1>
        <span className={classes.soft}>{note}</span>
        {props.views}
      </div>
      {search}
      {scope.root === null ? null : (
        <SegmentedControl
          size="xs"
          aria-label={t('diagram.scope')}
          value={String(scope.depth)}
          onChange={(depth) => onDepth(depth === 'all' ? null : Number(depth))}
          data={[
            { value: '1', label: t('diagram.oneStep') },
            { value: '2', label: t('diagram.twoSteps') },
            { value: 'all', label: t('diagram.allTables') },
          ]}
        />
      )}
      <SegmentedControl
        size="xs"
        aria-label={t('diagram.shownFields')}
        value={choice}
        onChange={(value) => onChoice(value as FieldChoice)}
        data={[
          { value: 'all', label: t('diagram.allFields') },
          { value: 'keys', label: t('diagram.keysOnly') },
        ]}
      />
      <Button size="xs" variant="default" disabled={!isDrawn} onClick={props.onLayOut}>
        {t('diagram.layOutAgain')}
      </Button>
      <Menu withinPortal={false} floatingStrategy="fixed" disabled={!isDrawn}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            disabled={!isDrawn}
            rightSection={<IconChevronDown className={classes.icon} aria-hidden />}
          >
            {t('diagram.export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => props.onExport('svg')}>{t('diagram.exportSvg')}</Menu.Item>
          <Menu.Item onClick={() => props.onExport('png')}>{t('diagram.exportPng')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}

export function ZoomButtons({ viewport, onFit }: { viewport: ViewportControl; onFit: () => void }) {
  const t = useText('schema');
  const zoom = viewport.view.zoom * 100;
  const percent = formatNumber(zoom < 10 ? Math.round(zoom * 10) / 10 : Math.round(zoom));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={classes.zoom} role="group" aria-label={t('diagram.zoom')}>
      <ActionIcon aria-label={t('diagram.zoomOut')} onClick={() => viewport.zoomBy(1 / zoomStep)}>
        <IconMinus className={classes.icon} aria-hidden />
      </ActionIcon>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        className={classes.percent!}
        aria-label={t('diagram.zoomFull', { percent })}
        onClick={() => viewport.zoomTo(1)}
      >
        {percent} %
      </Button>
      <ActionIcon aria-label={t('diagram.zoomIn')} onClick={() => viewport.zoomBy(zoomStep)}>
        <IconPlus className={classes.icon} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('diagram.fit')} title={t('diagram.fit')} onClick={onFit}>
        <IconMaximize className={classes.icon} aria-hidden />
      </ActionIcon>
    </div>
  );
}

interface ActionBarProps {
  service: string;
  table: DiagramTable;
  /** A line from the table is being drawn: its target is to be chosen. */
  isConnecting: boolean;
  onConnect: (isConnecting: boolean) => void;
  onAround: () => void;
  onClose: () => void;
}

/** What one can do with the selected table. */
export function ActionBar({ service, table, isConnecting, onConnect, onAround, onClose }: ActionBarProps) {
  const t = useText('schema');
  const hasScreen = useHasScreen();
  const { name } = table;
  if (isConnecting)
    return (
      <div className={classes.actions}>
        <Text size="sm" role="status">
          {t('diagram.connecting', { name })}
        </Text>
        <Button size="xs" variant="default" onClick={() => onConnect(false)}>
          {t('diagram.cancel')}
        </Button>
      </div>
    );
  const mayAdd = canAddFields(table);
  const adding = mayAdd ? {} : { disabled: true, title: t('diagram.needsPost') };
  const dataAddress = `/data/${encodeURIComponent(service)}/${encodeURIComponent(table.alias ?? name)}`;
  return (
    <div className={classes.actions} role="toolbar" aria-label={t('diagram.actions', { name })}>
      <span className={classes.actionsName} title={name}>
        {name}
      </span>
      <Button size="xs" component={Link} to={tableAddress(service, name)}>
        {t('diagram.open')}
      </Button>
      <Button size="xs" variant="default" onClick={onAround}>
        {t('diagram.neighbourhood')}
      </Button>
      {(['field', 'relation'] as const).map((part) =>
        mayAdd ? (
          <Button
            key={part}
            size="xs"
            variant="default"
            component={Link}
            to={paneAddress(service, name, part, undefined, 'diagram')}
          >
            {t(part === 'field' ? 'diagram.newField' : 'diagram.newRelation')}
          </Button>
        ) : (
          <Button key={part} size="xs" variant="default" {...adding}>
            {t(part === 'field' ? 'diagram.newField' : 'diagram.newRelation')}
          </Button>
        ),
      )}
      <Button size="xs" variant="default" onClick={() => onConnect(true)} {...adding}>
        {t('diagram.connect')}
      </Button>
      {hasScreen('/data') ? (
        <Button size="xs" variant="default" component={Link} to={dataAddress}>
          {t('diagram.viewData')}
        </Button>
      ) : null}
      <ActionIcon size="md" aria-label={t('diagram.cancel')} onClick={onClose}>
        <IconX className={classes.icon} aria-hidden />
      </ActionIcon>
    </div>
  );
}
