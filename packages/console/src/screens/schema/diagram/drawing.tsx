// The picture of the diagram: what of it is in view, as elements. What it is done with is heard by its owner.
import { type DOMAttributes, type Ref, useMemo } from 'react';
import { useText } from '../../../text/index.ts';
import { type Box, type Frame, overlaps, rowMiddle, type Size } from './boxes.ts';
import classes from './diagram.module.css';
import { canAddFields, type DiagramModel, neighboursOf } from './model.ts';
import { DraftLine, FloatingName, Lines, TableBox } from './scene.tsx';
import { detailAt, type Route } from './shapes.ts';
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
  const seen = visibleFrame(view, size);
  const visibleRoutes = detail === 'none' ? routes : routes.filter(({ bounds }) => overlaps(bounds, seen));
  const litRoutes = useMemo(
    () => routes.filter(({ line }) => line.from.table === focus || line.to.table === focus),
    [routes, focus],
  );
  const visibleBoxes = [...frames].filter(
    ([name, frame]) => name === current || name === selected || overlaps(frame, seen),
  );
  // Names that are too small in the boxes stand over them.
  const floating = detail === 'fields' || focus === null ? [] : detail === 'none' ? [...lit] : [focus];
  const draftFrame = draft && frames.get(draft.from.table);
  const withEnds = detail !== 'none';
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
      data-connecting={isConnecting || undefined}
    >
      <g transform={`translate(${view.x} ${view.y}) scale(${view.zoom})`}>
        <Lines routes={visibleRoutes} withEnds={withEnds} />
        {litRoutes.length > 0 ? <Lines routes={litRoutes} withEnds={withEnds} isLit /> : null}
        {visibleBoxes.map(([name, { x, y }]) => {
          const box = boxes.get(name)!;
          return (
            <TableBox
              key={name}
              {...{ box, x, y, detail }}
              label={boxLabels.get(name) ?? name}
              isTabStop={name === current}
              isSelected={name === selected}
              isLit={lit.has(name)}
              isMatch={search.matchOf.has(name)}
              isCurrentMatch={search.matches[search.index]?.table === name}
              matching={search.matchOf.get(name)?.fields}
              hasHandles={(name === selected || name === hovered) && canAddFields(box.table)}
            />
          );
        })}
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
