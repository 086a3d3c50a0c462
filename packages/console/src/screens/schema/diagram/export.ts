// The whole diagram as a file: the shapes of the screen as markup, with plain colours and typefaces every computer has.
import { boundsOf } from './boxes.ts';
import { boxShapes, type Paint, type PlacedBox, paints, type Route, type Shape } from './shapes.ts';

/** Colours as a file has them. */
export type Palette = Record<Paint, string>;

const fontFamily = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const margin = 40;

const escapes = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);

/** A text as XML has it; what XML cannot hold is shown as a replacement. */
export const escapeMarkup = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"']/g, (sign) => escapes.get(sign)!);

const element = (tag: string, attributes: Record<string, string | number>, content = ''): string => {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeMarkup(String(value))}"`);
  return content === '' ? `<${tag}${written.join('')}/>` : `<${tag}${written.join('')}>${content}</${tag}>`;
};

const shapeMarkup = ({ tag, attributes, fill, stroke, text }: Shape, palette: Palette): string =>
  element(
    tag,
    {
      ...attributes,
      fill: fill === 'none' ? 'none' : palette[fill],
      ...(stroke ? { stroke: palette[stroke] } : {}),
    },
    text === undefined ? '' : escapeMarkup(text),
  );

export interface Drawing {
  title: string;
  boxes: readonly PlacedBox[];
  routes: readonly Route[];
}

export interface Picture {
  markup: string;
  width: number;
  height: number;
}

/** The drawing as an SVG file. */
export function toSvg({ title, boxes, routes }: Drawing, palette: Palette): Picture {
  const bounds = boundsOf([...boxes, ...routes.map((route) => route.bounds)]) ?? { x: 0, y: 0, width: 0, height: 0 };
  const width = Math.ceil(bounds.width + 2 * margin);
  const height = Math.ceil(bounds.height + 2 * margin);
  const viewBox = [bounds.x - margin, bounds.y - margin, width, height];
  const lines = routes.flatMap(({ line, d, ends }) => [
    element('path', { d, ...(line.isVirtual ? { 'stroke-dasharray': '6 4' } : {}) }),
    element('path', { d: ends }),
  ]);
  const parts = [
    element('title', {}, escapeMarkup(title)),
    element('rect', { x: viewBox[0]!, y: viewBox[1]!, width, height, fill: palette.page }),
    element('g', { fill: 'none', stroke: palette.line, 'stroke-width': 1.25 }, lines.join('\n')),
    ...boxes.map((box) => {
      const shapes = boxShapes(box, 'fields').map((shape) => shapeMarkup(shape, palette));
      return element('g', { transform: `translate(${box.x} ${box.y})` }, shapes.join(''));
    }),
  ];
  const root = {
    ...{ xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: viewBox.join(' '), 'font-family': fontFamily },
    'xml:space': 'preserve',
  };
  return {
    markup: `<?xml version="1.0" encoding="UTF-8"?>\n${element('svg', root, parts.join('\n'))}\n`,
    width,
    height,
  };
}

/** What a canvas can hold in every browser we know: pixels of a side, and of the whole. */
const maxSide = 8192;
const maxArea = 32_000_000;

/** Pixels of a PNG for a unit of the drawing: 2 for sharp text, less where it would become too large. */
export const pngScale = (width: number, height: number): number =>
  Math.min(2, maxSide / width, maxSide / height, Math.sqrt(maxArea / (width * height)));

/** The colours of the scheme that is on, as plain values. */
export function currentPalette(): Palette {
  const probe = document.body.appendChild(document.createElement('i'));
  const colorOf = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const entries = Object.entries(paints).map(([paint, token]) => [paint, colorOf(token)]);
  probe.remove();
  return Object.fromEntries(entries) as Palette;
}

/** The picture as PNG; rejects when the browser cannot draw it. */
export async function toPng({ markup, width, height }: Picture): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([markup], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = pngScale(width, height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.floor(width * scale));
    canvas.height = Math.max(1, Math.floor(height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!png) throw new Error('The canvas is empty.');
    return png;
  } finally {
    URL.revokeObjectURL(address);
  }
}
