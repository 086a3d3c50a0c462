// The drawing on the screen: the shapes of boxes and lines as elements. Only what is in view is there.
import { type CSSProperties, memo } from 'react';
import { type Box, nameSize, type Point, rowHeight, rowMiddle } from './boxes.ts';
import classes from './diagram.module.css';
import { boxShapes, type Detail, type Paint, paints, type Route, type Shape } from './shapes.ts';

const styleOf = new Map<string, CSSProperties>();

/** The colours of a shape; one object for each pair, for there are thousands of shapes. */
function colorsOf({ fill, stroke }: Shape): CSSProperties {
  const key = `${fill} ${stroke}`;
  const known = styleOf.get(key);
  if (known) return known;
  const colorOf = (paint: Paint | 'none' | undefined) =>
    paint === undefined || paint === 'none' ? 'none' : `var(${paints[paint]})`;
  const style = { fill: colorOf(fill), stroke: colorOf(stroke) };
  styleOf.set(key, style);
  return style;
}

const attributeNames = new Map([
  ['font-size', 'fontSize'],
  ['font-weight', 'fontWeight'],
  ['text-anchor', 'textAnchor'],
  ['vector-effect', 'vectorEffect'],
]);

function ShapeElement({ shape }: { shape: Shape }) {
  const { tag: Tag, attributes, text } = shape;
  const props = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [attributeNames.get(name) ?? name, value]),
  );
  return (
    <Tag {...props} style={colorsOf(shape)}>
      {text}
    </Tag>
  );
}

export interface TableBoxProps {
  box: Box;
  x: number;
  y: number;
  detail: Detail;
  label: string;
  isTabStop: boolean;
  isSelected: boolean;
  isLit: boolean;
  isMatch: boolean;
  isCurrentMatch: boolean;
  /** Fields found by the search. */
  matching: ReadonlySet<string> | undefined;
  /** Shows where lines can be drawn from. */
  hasHandles: boolean;
}

/** A table. Pointers and keys are heard by the drawing, which tells tables apart by `data-table`. */
export const TableBox = memo(function TableBox(props: TableBoxProps) {
  const { box, x, y, detail, label, matching } = props;
  const { table, fields, width, height } = box;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own
    <g
      className={classes.box}
      transform={`translate(${x} ${y})`}
      role="button"
      tabIndex={props.isTabStop ? 0 : -1}
      aria-label={label}
      aria-pressed={props.isSelected}
      data-table={table.name}
      data-selected={props.isSelected || undefined}
      data-lit={props.isLit || undefined}
      data-match={props.isMatch || undefined}
      data-current={props.isCurrentMatch || undefined}
    >
      {detail === 'none' ? null : (
        <title>{table.label === table.name ? table.name : `${table.name} (${table.label})`}</title>
      )}
      {boxShapes(box, detail, matching).map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes have no names and no state
        <ShapeElement key={index} shape={shape} />
      ))}
      {detail === 'fields'
        ? fields.map((field) => (
            <g key={field.name} data-field={field.name} className={classes.field}>
              <title>{`${field.name} ${field.type}`}</title>
              <rect x={1} y={rowMiddle(box, field.name) - rowHeight / 2} width={width - 2} height={rowHeight} />
              {props.hasHandles ? (
                <circle
                  className={classes.handle}
                  cx={width}
                  cy={rowMiddle(box, field.name)}
                  r={5}
                  data-handle={true}
                />
              ) : null}
            </g>
          ))
        : null}
      {props.isTabStop || props.isSelected || props.isMatch ? (
        <rect className={classes.ring} x={-2} y={-2} width={width + 4} height={height + 4} rx={8} />
      ) : null}
    </g>
  );
});

interface LinesProps {
  routes: readonly Route[];
  withEnds: boolean;
  isLit?: boolean;
}

/** Lines as few elements: hundreds of them change with every step of a pan. */
export const Lines = memo(function Lines({ routes, withEnds, isLit }: LinesProps) {
  const join = (parts: Route[]) => parts.map(({ d }) => d).join('');
  const virtual = join(routes.filter(({ line }) => line.isVirtual));
  const real = join(routes.filter(({ line }) => !line.isVirtual));
  return (
    <g className={isLit ? classes.litLines : classes.lines} aria-hidden>
      {real ? <path d={real} /> : null}
      {virtual ? <path d={virtual} className={classes.virtual} /> : null}
      {withEnds ? <path d={routes.map(({ ends }) => ends).join('')} /> : null}
    </g>
  );
});

/** The name of a box that is too small to show it. */
export const FloatingName = ({ name, at, zoom }: { name: string; at: Point; zoom: number }) => (
  <text className={classes.floating} x={at.x} y={at.y - 6 / zoom} fontSize={nameSize / zoom} aria-hidden>
    {name}
  </text>
);

/** A line on its way to the pointer. */
export const DraftLine = ({ start, end }: { start: Point; end: Point }) => (
  <path className={classes.draft} d={`M${start.x} ${start.y}L${end.x} ${end.y}`} aria-hidden />
);
