// The diagram itself: what is drawn, where it stands, what is selected, and what keys and pointers do with it.

import { Button, Loader, Text } from '@mantine/core';
import { IconSchema } from '@tabler/icons-react';
import {
  type DOMAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { formatNumber, useText } from '../../../text/index.ts';
import { Empty } from '../../../ui/index.ts';
import { paneAddress, tableAddress } from '../address/addresses.ts';
import type { Progress } from '../address/read-tables.ts';
import { usePlace } from '../address/use-place.ts';
import { ViewSwitch } from '../table/view-switch.tsx';
import { type Box, boundsOf, boxOf, type FieldChoice, type Frame, overlaps, type Point } from './boxes.ts';
import classes from './diagram.module.css';
import { Drawing, useBoxLabels } from './drawing.tsx';
import { canAddFields, type DiagramModel, neighbourhoodOf, neighboursOf } from './model.ts';
import { type PictureKind, savePicture } from './save-picture.ts';
import { lanesOf, placed, type Route, routeOf } from './shapes.ts';
import { ActionBar, Search, Toolbar, ZoomButtons } from './toolbar.tsx';
import { usePlaces } from './use-places.ts';
import { type Spot, spotOf, usePointers } from './use-pointers.ts';
import { recall, remember, useScope } from './use-scope.ts';
import { useSearch } from './use-search.ts';
import { useViewport } from './use-viewport.ts';
import { centred, clampZoom, type Direction, nearest, visibleFrame, zoomStep } from './viewport.ts';

/** More boxes at once are neither readable nor fast. */
const maxDrawn = 2000;
/** Matches offered where nothing is drawn. */
const maxOffered = 30;
/** More tables at once begin with their keys only: a whole picture is legible then. */
const maxWithAllFields = 50;
/** How far a key moves a box, and the drawing. */
const boxStep = 20;
const panStep = 80;
/** Below this zoom a box that is looked for is shown at 100 %. */
const legible = 0.5;

const directions = new Map<string, Direction>([
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
]);
const stepOf: Record<Direction, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** A count as plurals need it, and as it is written. */
const numbered = (count: number) => ({ count, number: formatNumber(count) });

interface DiagramProps {
  service: string;
  label: string;
  table: string | null;
  model: DiagramModel;
  /** While the tables are read again. */
  progress: Progress | null;
  /** Notes above the drawing. */
  children: ReactNode;
}

export function Diagram({ service, label, table, model, progress, children }: DiagramProps) {
  const t = useText('schema');
  const navigate = useNavigate();
  const [memory] = useState(() => recall(service, table));
  const drawnNames = useRef<ReadonlySet<string>>(new Set());
  const { scope, showAll, showAround } = useScope(service, table, memory, drawnNames);
  const [choice, setChoice] = useState<FieldChoice>(
    memory?.choice ?? (scope.root === null && model.tables.size > maxWithAllFields ? 'keys' : 'all'),
  );
  const [selected, setSelected] = useState<string | null>(table);
  const [tabStop, setTabStop] = useState<string | null>(table);
  const [hovered, setHovered] = useState<string | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const [isConnecting, setConnecting] = useState(false);
  const [wantsFocus, setWantsFocus] = useState(false);

  const names = useMemo(
    () => (scope.root === null ? new Set(model.tables.keys()) : neighbourhoodOf(model, scope.root, scope.depth)),
    [model, scope],
  );
  const isTooMany = names.size > maxDrawn;
  const boxes = useMemo(() => {
    const chosen = new Map<string, Box>();
    if (!isTooMany) for (const name of names) chosen.set(name, boxOf(model.tables.get(name)!, choice));
    return chosen;
  }, [model, names, choice, isTooMany]);
  drawnNames.current = names;
  const scopeKey = scope.root === null ? null : JSON.stringify(scope);
  const { places, round, move, layOutAgain } = usePlaces({
    ...{ service, choice, scope: scopeKey, model },
    boxes: boxes.size > 0 ? boxes : null,
  });

  const stage = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const viewport = useViewport(stage);
  const { view, size } = viewport;
  const frames = useMemo(() => {
    const found = new Map<string, Frame>();
    for (const [name, { width, height }] of boxes) {
      const place = places?.get(name);
      if (place) found.set(name, { ...place, width, height });
    }
    return found;
  }, [boxes, places]);
  const bounds = useMemo(() => boundsOf(frames.values()), [frames]);

  // A new layout is shown whole; after a reload, what was seen before it.
  const isRestored = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each layout
  useLayoutEffect(() => {
    if (round === 0 || !bounds) return;
    const before = isRestored.current ? null : (memory?.view ?? null);
    isRestored.current = true;
    const restored = before && centred({ ...before.centre, width: 0, height: 0 }, size, clampZoom(before.zoom));
    const isEmpty = !restored || ![...frames.values()].some((frame) => overlaps(frame, visibleFrame(restored, size)));
    if (isEmpty) viewport.fit(bounds);
    else viewport.setView(restored);
  }, [round]);
  useEffect(() => {
    if (!places) return;
    const centre = { x: (size.width / 2 - view.x) / view.zoom, y: (size.height / 2 - view.y) / view.zoom };
    const save = () => remember(service, { table, scope, choice, view: { centre, zoom: view.zoom } });
    const timer = setTimeout(save, 200);
    window.addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', save);
    };
  }, [places, view, size, service, table, scope, choice]);

  // What was opened elsewhere is selected here.
  useEffect(() => {
    if (table === null) return;
    setSelected(table);
    setTabStop(table);
  }, [table]);
  const hasPane = usePlace().pane !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pane beside takes room away
  useEffect(() => {
    const frame = hasPane && selected ? frames.get(selected) : undefined;
    if (frame && view.zoom >= legible) viewport.reveal(frame);
  }, [size.width, hasPane]);
  const hadPane = useRef(hasPane);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the pane closes
  useEffect(() => {
    if (hadPane.current && !hasPane && selected !== null) setWantsFocus(true);
    hadPane.current = hasPane;
  }, [hasPane]);

  const lines = useMemo(
    () => model.lines.filter(({ from, to }) => boxes.has(from.table) && boxes.has(to.table)),
    [model, boxes],
  );
  const lanes = useMemo(() => lanesOf(lines), [lines]);
  const routes = useMemo(
    () =>
      lines.flatMap((line): Route[] => {
        const [from, to] = [frames.get(line.from.table), frames.get(line.to.table)];
        if (!from || !to) return [];
        const start = placed(boxes.get(line.from.table)!, from);
        const end = line.from.table === line.to.table ? start : placed(boxes.get(line.to.table)!, to);
        return [routeOf(line, start, end, lanes)];
      }),
    [lines, lanes, frames, boxes],
  );

  const current = tabStop !== null && frames.has(tabStop) ? tabStop : (frames.keys().next().value ?? null);
  const centreOf = hovered ?? (hasFocus ? current : null) ?? selected;
  const focus = centreOf !== null && frames.has(centreOf) ? centreOf : null;
  const lit = useMemo(() => new Set(focus === null ? [] : [focus, ...neighboursOf(model, focus)]), [focus, model]);
  const show = (name: string) => {
    setTabStop(name);
    const frame = frames.get(name);
    if (frame) viewport.centre(frame, view.zoom < legible ? 1 : view.zoom);
    else showAround(name);
  };
  const search = useSearch(model, show);

  // The element of a table may come only with the next picture.
  useEffect(() => {
    if (!wantsFocus) return;
    setWantsFocus(false);
    [...(svg.current?.querySelectorAll<SVGElement>('[data-table]') ?? [])]
      .find((element) => element.dataset.table === current)
      ?.focus({ preventScroll: true });
  }, [wantsFocus, current]);
  const focusTable = (name: string) => {
    setTabStop(name);
    setWantsFocus(true);
    const frame = frames.get(name);
    if (frame) viewport.reveal(frame);
  };

  const open = (name: string) => navigate(tableAddress(service, name));
  const connect = (from: Spot, to: Spot) => {
    setConnecting(false);
    if (from.table === to.table && (to.field === null || from.field === to.field)) return;
    const source = model.tables.get(from.table);
    const target = model.tables.get(to.table);
    if (!source || !target || !canAddFields(source)) return;
    const field = to.field ?? target.fields.find(({ isKey }) => isKey)?.name ?? '';
    const query = new URLSearchParams({ ref_table: to.table, ref_field: field });
    navigate(`${paneAddress(service, from.table, 'field', undefined, 'diagram')}&${query}`);
  };
  const pointers = usePointers({
    viewport,
    placeOf: (name) => places?.get(name),
    ...{ selected, move },
    onConnect: connect,
  });

  const choose = (spot: Spot) => {
    if (isConnecting && selected !== null) {
      connect({ table: selected, field: null, isHandle: true }, spot);
      return;
    }
    setSelected(spot.table);
    setTabStop(spot.table);
  };
  const onClick = (event: MouseEvent) => {
    if (pointers.wasGesture()) return;
    const spot = spotOf(event.target);
    if (!spot) {
      setSelected(null);
      setConnecting(false);
      return;
    }
    const isTouch = (event.nativeEvent as unknown as { pointerType?: string }).pointerType === 'touch';
    choose(spot);
    if (isConnecting || spot.field === null || spot.isHandle || (isTouch && spot.table !== selected)) return;
    navigate(paneAddress(service, spot.table, 'field', spot.field, 'diagram'));
  };
  const onDoubleClick = (event: MouseEvent) => {
    const spot = spotOf(event.target);
    if (spot && !isConnecting) open(spot.table);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, shiftKey } = event;
    if (event.ctrlKey || event.metaKey) return;
    const direction = directions.get(key);
    const frame = current === null ? undefined : frames.get(current);
    if (direction && altKey && current !== null && frame) {
      const { x, y } = stepOf[direction];
      const place = { x: frame.x + x * boxStep, y: frame.y + y * boxStep };
      move(current, place);
      viewport.reveal({ ...frame, ...place });
    } else if (direction && shiftKey) viewport.panBy(-stepOf[direction].x * panStep, -stepOf[direction].y * panStep);
    else if (direction && current !== null && frame) {
      const next = nearest(frame, frames, direction);
      if (next !== null) focusTable(next);
    } else if (key === 'Enter' && current !== null) {
      if (isConnecting) choose({ table: current, field: null, isHandle: false });
      else open(current);
    } else if (key === ' ' && current !== null) choose({ table: current, field: null, isHandle: false });
    else if (key === '+' || key === '=') viewport.zoomBy(zoomStep);
    else if (key === '-') viewport.zoomBy(1 / zoomStep);
    else if (key === '0') viewport.zoomTo(1);
    else if (key === 'Escape' && (isConnecting || selected !== null)) {
      if (isConnecting) setConnecting(false);
      else setSelected(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const handlers: DOMAttributes<SVGSVGElement> = {
    ...pointers.handlers,
    ...{ onClick, onDoubleClick, onKeyDown },
    onFocus: ({ target }) => {
      setTabStop(spotOf(target)?.table ?? null);
      setFocus(target.matches(':focus-visible'));
    },
    onBlur: () => setFocus(false),
    onPointerOver: ({ pointerType, target }) => {
      if (pointerType !== 'touch') setHovered(spotOf(target)?.table ?? null);
    },
    onPointerLeave: () => setHovered(null),
  };

  const exportAs = (kind: PictureKind) => {
    const placedBoxes = [...frames].map(([name, frame]) => placed(boxes.get(name)!, frame));
    const drawing = { title: t('diagram.titleOf', { service: label }), boxes: placedBoxes, routes };
    void savePicture(drawing, kind, `${service}-schema`);
  };

  const boxLabels = useBoxLabels(model);
  const counts = {
    tables: t('diagram.tables', numbered(boxes.size || names.size)),
    relations: t('diagram.relations', numbered(lines.length)),
  };
  const selectedTable = selected !== null && frames.has(selected) ? model.tables.get(selected) : undefined;
  return (
    <>
      <Toolbar
        title={scope.root === null ? t('diagram.title') : t('diagram.around', { name: scope.root })}
        note={
          progress
            ? t('diagram.readingOf', { read: formatNumber(progress.read), total: formatNumber(progress.total) })
            : `${counts.tables}, ${counts.relations}`
        }
        views={
          table === null ? null : (
            <ViewSwitch view="diagram" onView={(next) => navigate(tableAddress(service, table, next))} />
          )
        }
        search={<Search search={search} />}
        scope={scope}
        onDepth={(depth) => (depth === null ? showAll() : showAround(scope.root!, depth))}
        choice={choice}
        onChoice={setChoice}
        onLayOut={layOutAgain}
        onExport={exportAs}
        isDrawn={places !== null}
      />
      {children}
      <div className={classes.stage} ref={stage} data-selected={selectedTable ? true : undefined}>
        {names.size === 0 ? (
          <Empty
            icon={IconSchema}
            title={t('diagram.unknown', { name: scope.root ?? '' })}
            text={t('diagram.unknownText')}
            action={<Button onClick={showAll}>{t('diagram.allTables')}</Button>}
          />
        ) : isTooMany ? (
          <Empty
            icon={IconSchema}
            title={t('diagram.tooMany', { count: formatNumber(names.size) })}
            text={t('diagram.tooManyText', { max: formatNumber(maxDrawn) })}
            action={
              <ul className={classes.found}>
                {search.matches.slice(0, maxOffered).map(({ table: name }) => (
                  <li key={name}>
                    <Button size="xs" variant="default" onClick={() => showAround(name)}>
                      {name}
                    </Button>
                  </li>
                ))}
              </ul>
            }
          />
        ) : (
          <>
            <Drawing
              ref={svg}
              label={t('diagram.drawing', { service: label, ...counts })}
              {...{ boxes, frames, routes, view, size, boxLabels, selected, current, hovered, focus, lit, search }}
              isReady={places !== null}
              isConnecting={isConnecting}
              draft={pointers.draft}
              handlers={handlers}
            />
            {places === null ? (
              <div className={`${classes.waiting} ${classes.over}`} role="status">
                <Text size="sm" c="dimmed">
                  {t('diagram.layingOut')}
                </Text>
                <Loader size="sm" aria-hidden />
              </div>
            ) : null}
            <ZoomButtons viewport={viewport} onFit={() => bounds && viewport.fit(bounds)} />
            {selectedTable ? (
              <ActionBar
                service={service}
                table={selectedTable}
                isConnecting={isConnecting}
                onConnect={(isStarted) => {
                  setConnecting(isStarted);
                  focusTable(selectedTable.name);
                }}
                onAround={() => showAround(selectedTable.name)}
                onClose={() => {
                  setSelected(null);
                  focusTable(selectedTable.name);
                }}
              />
            ) : null}
          </>
        )}
      </div>
    </>
  );
}
