import { ActionIcon, Loader } from '@mantine/core';
import { IconChevronRight, IconFolder, IconFolderOpen } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type DragEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useText } from '../text/index.ts';
import { describeError } from '../ui/index.ts';
import classes from './files.module.css';
import { foldersTo, isWithin, nameOf } from './paths.ts';
import { type FileItem, subfoldersQuery } from './sources.ts';

/** From so many folders on, only those in sight are rendered. */
const virtualizeFrom = 200;
const rowHeight = 32;

/** What a folder of the tree may be dropped on with. */
export interface FolderDrop {
  accepts: (event: DragEvent, folder: string) => boolean;
  drop: (event: DragEvent, folder: string) => void;
}

interface FolderTreeProps {
  service: string;
  label: string;
  /** Where it begins: the root, or the folders a person may see. */
  roots: readonly string[];
  /** What the root is called. */
  rootLabel: string;
  folder: string;
  onOpen: (folder: string) => void;
  dropping?: FolderDrop | undefined;
}

interface Node {
  path: string;
  level: number;
  isOpen: boolean;
  /** Undefined until that is known. */
  hasChildren: boolean | undefined;
  isLoading: boolean;
  error: Error | null;
}

/** The folders of a service; each is read when it is opened. Arrows move, open and close, Enter goes there. */
export function FolderTree({ service, label, roots, rootLabel, folder, onOpen, dropping }: FolderTreeProps) {
  const t = useText('files');
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(roots.length === 1 ? roots : []));
  const [active, setActive] = useState(folder);
  const scroller = useRef<HTMLDivElement>(null);

  // The way to the folder that is shown stays open.
  useEffect(() => {
    const above = ['', ...foldersTo(folder)].slice(0, -1);
    setOpen((before) => new Set([...before, ...above]));
    setActive(folder);
  }, [folder]);

  const opened = useMemo(
    () => [...open].filter((path) => roots.some((root) => isWithin(path, root))).sort(),
    [open, roots],
  );
  const results = useQueries({ queries: opened.map((path) => subfoldersQuery(service, path)) });
  const nodes = visibleNodes(roots, opened, (path) => results[opened.indexOf(path)]);

  const isVirtual = nodes.length > virtualizeFrom;
  const activeIndex = Math.max(
    0,
    nodes.findIndex(({ path }) => path === active),
  );
  const virtual = useVirtualizer({
    enabled: isVirtual,
    count: nodes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const first = isVirtual ? (items[0]?.index ?? 0) : 0;
  const last = isVirtual ? (items.at(-1)?.index ?? -1) : nodes.length - 1;

  const [wantsFocus, setWantsFocus] = useState(false);
  useEffect(() => {
    if (!wantsFocus) return;
    const item = scroller.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]');
    if (!item) return;
    item.focus();
    setWantsFocus(false);
  });
  const moveTo = (index: number) => {
    const node = nodes[Math.min(nodes.length - 1, Math.max(0, index))];
    if (!node) return;
    setActive(node.path);
    if (isVirtual) virtual.scrollToIndex(nodes.indexOf(node));
    setWantsFocus(true);
  };
  const toggle = (path: string, isOpen: boolean) =>
    setOpen((before) => {
      const next = new Set(before);
      if (isOpen) next.add(path);
      else next.delete(path);
      return next;
    });

  const onKeyDown = (event: KeyboardEvent) => {
    const node = nodes[activeIndex];
    if (!node || event.altKey || event.metaKey || event.ctrlKey) return;
    const parent = () => {
      for (let index = activeIndex - 1; index >= 0; index--) if (nodes[index]!.level < node.level) return index;
      return activeIndex;
    };
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTo(activeIndex + 1),
      ArrowUp: () => moveTo(activeIndex - 1),
      Home: () => moveTo(0),
      End: () => moveTo(nodes.length - 1),
      ArrowRight: () => (node.isOpen ? moveTo(activeIndex + 1) : toggle(node.path, true)),
      ArrowLeft: () => (node.isOpen && node.hasChildren ? toggle(node.path, false) : moveTo(parent())),
      Enter: () => onOpen(node.path),
      ' ': () => onOpen(node.path),
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };

  return (
    <div className={classes.tree} ref={scroller} role="tree" aria-label={label} onKeyDown={onKeyDown}>
      {first > 0 ? <div style={{ height: first * rowHeight }} role="presentation" /> : null}
      {nodes.slice(first, last + 1).map((node) => (
        <TreeRow
          key={node.path}
          node={node}
          name={node.path === '' ? rootLabel : roots.includes(node.path) ? node.path : nameOf(node.path)}
          isCurrent={node.path === folder}
          isActive={node.path === nodes[activeIndex]?.path}
          problem={node.error ? describeError(node.error).messages.join(' ') : null}
          toggleLabel={t(node.isOpen ? 'tree.close' : 'tree.open', { name: nameOf(node.path) || rootLabel })}
          onToggle={() => toggle(node.path, !node.isOpen)}
          onOpen={() => onOpen(node.path)}
          onFocus={() => setActive(node.path)}
          dropping={dropping}
        />
      ))}
      {last < nodes.length - 1 ? (
        <div style={{ height: (nodes.length - 1 - last) * rowHeight }} role="presentation" />
      ) : null}
    </div>
  );
}

interface TreeRowProps {
  node: Node;
  name: string;
  isCurrent: boolean;
  isActive: boolean;
  problem: string | null;
  toggleLabel: string;
  onToggle: () => void;
  onOpen: () => void;
  onFocus: () => void;
  dropping: FolderDrop | undefined;
}

function TreeRow({ node, name, isCurrent, isActive, problem, toggleLabel, dropping, ...on }: TreeRowProps) {
  const [isTarget, setTarget] = useState(false);
  const Icon = node.isOpen && node.hasChildren ? IconFolderOpen : IconFolder;
  const over = (event: DragEvent) => {
    if (!dropping?.accepts(event, node.path)) return;
    event.preventDefault();
    event.stopPropagation();
    setTarget(true);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys.
    <div
      role="treeitem"
      aria-level={node.level}
      aria-expanded={node.hasChildren === false ? undefined : node.isOpen}
      aria-selected={isCurrent}
      tabIndex={isActive ? 0 : -1}
      className={classes.treeRow}
      style={{ paddingInlineStart: `${(node.level - 1) * 0.875}rem` }}
      data-target={isTarget || undefined}
      title={problem ?? undefined}
      onClick={on.onOpen}
      onFocus={on.onFocus}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        if (!dropping?.accepts(event, node.path)) return;
        event.preventDefault();
        event.stopPropagation();
        dropping.drop(event, node.path);
      }}
    >
      {node.hasChildren === false ? (
        <span className={classes.toggle} />
      ) : (
        <ActionIcon
          size="sm"
          tabIndex={-1}
          aria-hidden
          title={toggleLabel}
          className={classes.toggle!}
          data-open={node.isOpen || undefined}
          onClick={(event) => {
            event.stopPropagation();
            on.onToggle();
          }}
        >
          {node.isLoading ? <Loader size="0.75rem" /> : <IconChevronRight className={classes.smallIcon} aria-hidden />}
        </ActionIcon>
      )}
      <Icon className={classes.smallIcon} aria-hidden stroke={1.6} />
      <span className={classes.treeName}>{name}</span>
      {problem ? <span className={classes.treeProblem}>!</span> : null}
    </div>
  );
}

type Result = { data?: FileItem[] | undefined; isPending: boolean; error: Error | null } | undefined;

/** The folders in sight, in order, each below its parent. */
function visibleNodes(roots: readonly string[], opened: readonly string[], resultOf: (path: string) => Result): Node[] {
  const nodes: Node[] = [];
  const isOpened = new Set(opened);
  const add = (path: string, level: number) => {
    const isOpen = isOpened.has(path);
    const result = isOpen ? resultOf(path) : undefined;
    const children = result?.data;
    nodes.push({
      path,
      level,
      isOpen,
      hasChildren: children ? children.length > 0 : undefined,
      isLoading: isOpen && (result?.isPending ?? false),
      error: result?.error ?? null,
    });
    for (const child of children ?? []) add(child.path, level + 1);
  };
  for (const root of roots) add(root, 1);
  return nodes;
}
