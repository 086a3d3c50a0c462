// The picture of the diagram: what of it is in view, as elements. What it is done with is heard by its owner.
import { type DOMAttributes, type Ref, useCallback, useMemo } from 'react';
import { useText } from '../../../text/index.ts';
import { type Box, type Frame, overlaps, rowMiddle, type Size } from './boxes.ts';
import classes from './diagram.module.css';
import { canAddFields, type DiagramModel, neighboursOf } from './model.ts';
import { DraftLine, FloatingName, Lines, TableBox } from './scene.tsx';
import { detailAt, isNameLegible, type Route } from './shapes.ts';
import type { Draft } from './use-pointers.ts';
import type { SearchControl } from './use-search.ts';
import { type Viewport, visibleFrame } from './viewport.ts';

interface DrawingProps {
  ref: Ref<SVGSVGElement>;
  /** What hears keys and pointers. */
  handlers: DOMAttributes<SVGSVGElement>;
  label: string;
  isReady: boolean;
  boxes: ReadonlyMap<string, Box>;
  frames: ReadonlyMap<string, Frame>;
  routes: readonly Route[];
  view: Viewport;
  size: Size;
  boxLabels: ReadonlyMap<string, string>;
  selected: string | null;
  /** The table that the tab key reaches. */
  current: string | null;
  hovered: string | null;
  /** The table whose lines and neighbours, `lit`, stand out. */
  focus: string | null;
  lit: ReadonlySet<string>;
  search: SearchControl;
  isConnecting: boolean;
  draft: Draft | null;
}

export function Drawing(props: DrawingProps) {
  const { ref, label, isReady, boxes, frames, routes, view, size, boxLabels, selected, current, hovered } = props;
  const { focus, lit, search, isConnecting, draft, handlers } = props;
  const detail = detailAt(view.zoom);
  const withEnds = detail !== 'none';
  // What is seen far off is all there; of the rest, what is near the window: a pan draws nothing new most of the time.
  const { x, y, width, height } = detail === 'none' ? everywhere : roomyFrame(visibleFrame(view, size));
  const isNear = useCallback((frame: Frame) => overlaps(frame, { x, y, width, height }), [x, y, width, height]);
  const lines = useMemo(() => {
    const nearRoutes = routes.filter(({ bounds }) => isNear(bounds));
    const litRoutes = routes.filter(({ line }) => line.from.table === focus || line.to.table === focus);
    return (
      <>
        <Lines routes={nearRoutes} withEnds={withEnds} />
        {litRoutes.length > 0 ? <Lines routes={litRoutes} withEnds={withEnds} isLit /> : null}
      </>
    );
  }, [routes, isNear, focus, withEnds]);
  const { matchOf, matches, index } = search;
  const currentMatch = matches[index]?.table;
  const tables = useMemo(
    () =>
      [...frames]
        .filter(([name, frame]) => name === current || name === selected || isNear(frame))
        .map(([name, frame]) => {
          const box = boxes.get(name)!;
          return (
            <TableBox
              key={name}
              {...{ box, x: frame.x, y: frame.y, detail }}
              label={boxLabels.get(name) ?? name}
              isTabStop={name === current}
              isSelected={name === selected}
              isLit={lit.has(name)}
              isMatch={matchOf.has(name)}
              isCurrentMatch={name === currentMatch}
              matching={matchOf.get(name)?.fields}
              hasHandles={(name === selected || name === hovered) && canAddFields(box.table)}
            />
          );
        }),
    [frames, boxes, isNear, detail, boxLabels, current, selected, hovered, lit, matchOf, currentMatch],
  );
  // Names that are too small in the boxes stand over them.
  const isNamed = detail === 'fields' || (detail === 'name' && isNameLegible(view.zoom));
  const hasRoom = detail === 'none' && lit.size <= maxFloating;
  const floating = isNamed || focus === null ? [] : hasRoom ? [...lit] : [focus];
  const draftFrame = draft && frames.get(draft.from.table);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold a drawing
    <svg
      {...handlers}
      ref={ref}
      className={classes.drawing}
      role="group"
      aria-label={label}
      aria-busy={!isReady}
      data-focus={focus ?? undefined}
      data-far={!withEnds || undefined}
      data-detail={detail}
      data-connecting={isConnecting || undefined}
    >
      <g transform={`translate(${view.x} ${view.y}) scale(${view.zoom})`}>
        {lines}
        {tables}
        {floating.map((name) => {
          const frame = frames.get(name);
          return frame ? <FloatingName key={name} name={name} at={frame} zoom={view.zoom} /> : null;
        })}
        {draft && draftFrame ? (
          <DraftLine
            start={{
              x: draftFrame.x + draftFrame.width,
              y: draftFrame.y + rowMiddle(boxes.get(draft.from.table)!, draft.from.field ?? undefined),
            }}
            end={draft.end}
          />
        ) : null}
      </g>
    </svg>
  );
}

/** More names would cover each other. */
const maxFloating = 12;

const everywhere: Frame = { x: -1e9, y: -1e9, width: 2e9, height: 2e9 };

/** A frame somewhat larger than what is seen, the same for all that is near. */
function roomyFrame(seen: Frame): Frame {
  const step = 2 ** Math.floor(Math.log2(Math.max(seen.width, seen.height) / 2));
  const start = (at: number) => Math.floor(at / step) * step;
  const length = (at: number, size: number) => Math.ceil((at + size) / step) * step - start(at);
  return { x: start(seen.x), y: start(seen.y), width: length(seen.x, seen.width), height: length(seen.y, seen.height) };
}

/** Names of related tables that a box reads out. */
const maxNamed = 8;

/** What a screen reader says of each table. */
export function useBoxLabels(model: DiagramModel): ReadonlyMap<string, string> {
  const t = useText('schema');
  return useMemo(() => {
    const labels = new Map<string, string>();
    for (const { name, fields } of model.tables.values()) {
      const others = neighboursOf(model, name);
      const words = { name, fields: t('diagram.fields', { count: fields.length }) };
      const named = others.slice(0, maxNamed).join(', ');
      const more = others.length - maxNamed;
      const tables = more > 0 ? t('diagram.andMore', { names: named, count: more }) : named;
      labels.set(name, others.length === 0 ? t('diagram.box', words) : t('diagram.boxRelated', { ...words, tables }));
    }
    return labels;
  }, [model, t]);
}
