import { describe, expect, it } from 'vitest';
import {
  type Box,
  boundsOf,
  boxOf,
  type Frame,
  fitText,
  headHeight,
  overlaps,
  rowHeight,
  rowMiddle,
  textWidth,
} from './boxes.ts';
import { escapeMarkup, type Palette, pngScale, toSvg } from './export.ts';
import { layOut } from './layout/lay-out.ts';
import { toDiagramTable } from './model.ts';
import { parsePlaces, placeAll, placesStore, serializePlaces } from './places.ts';
import { aField, anId, aReference, aRelation, aTable, modelOf } from './schema.fixture.ts';
import { boxShapes, detailAt, lanesOf, paints, placed, routeOf } from './shapes.ts';
import { centred, fitted, maxZoom, minZoom, nearest, revealed, visibleFrame, zoomAt } from './viewport.ts';

const boxFor = (name: string, count: number): Box =>
  boxOf(toDiagramTable(aTable(name, [anId(), ...Array.from({ length: count - 1 }, (_, n) => aField(`f${n}`))])), 'all');

const anyOverlap = (frames: Frame[]): boolean =>
  frames.some((frame, index) => frames.slice(index + 1).some((other) => overlaps(frame, other)));

describe('a box', () => {
  it('shows at most twenty fields and says how many more there are', () => {
    const box = boxFor('wide', 33);
    expect([box.fields.length, box.more]).toEqual([20, 13]);
    expect(box.height).toBeGreaterThan(headHeight + 21 * rowHeight);
    expect(rowMiddle(box, 'f30')).toBe(headHeight + 20.5 * rowHeight);
    expect(boxShapes(box, 'fields').some(({ text }) => text === '+ 13')).toBe(true);
  });

  it('shows keys and references alone when asked to', () => {
    const table = toDiagramTable(aTable('t', [anId(), aField('title'), aReference('other_id', 'other')]));
    expect(boxOf(table, 'keys').fields.map(({ name }) => name)).toEqual(['id', 'other_id']);
    const marks = boxShapes(boxOf(table, 'all'), 'fields').flatMap(({ text }) =>
      /^[PF]K$/.test(text ?? '') ? text : [],
    );
    expect(marks).toEqual(['PK', 'FK']);
  });

  it('cuts names that are too long for it', () => {
    const cut = fitText('a_very_long_name_of_a_table_indeed', 100, 12);
    expect(cut).toMatch(/^a_very.*…$/);
    expect(textWidth(cut, 12)).toBeLessThanOrEqual(100);
    expect(fitText('short', 100, 12)).toBe('short');
  });

  it('loses its fields and then its name from afar', () => {
    const box = boxFor('order_line', 4);
    const texts = (zoom: number) => boxShapes(box, detailAt(zoom)).flatMap(({ text }) => text ?? []);
    expect(texts(1)).toContain('f1');
    expect(texts(0.3).join('')).toBe('order_line');
    expect(texts(0.1)).toEqual([]);
  });

  it('marks the fields that a search found', () => {
    const found = boxShapes(boxFor('t', 4), 'fields', new Set(['f1'])).filter(({ fill }) => fill === 'match');
    expect(found).toHaveLength(1);
  });
});

describe('lines', () => {
  const tables = [
    aTable(
      'a',
      [anId(), aReference('b1', 'b'), aReference('b2', 'b'), aReference('a_id', 'a')],
      [
        aRelation({ field: 'b1', ref_table: 'b' }),
        aRelation({ field: 'b2', ref_table: 'b' }),
        aRelation({ type: 'has_many', ref_table: 'a', ref_field: 'a_id' }),
      ],
    ),
    aTable('b'),
  ];
  const model = modelOf(tables);
  const lanes = lanesOf(model.lines);
  const boxAt = (name: string, x: number, y = 0) => placed(boxOf(model.tables.get(name)!, 'all'), { x, y });

  it('between the same two tables stand apart at both ends', () => {
    const [a, b] = [boxAt('a', 0), boxAt('b', 400)];
    const [first, second] = model.lines.map((line) => routeOf(line, a, b, lanes));
    const startOf = (d: string) => d.split('H')[0];
    const endOf = (d: string) => d.split('H').at(-2)?.split(' ').at(-1);
    expect(startOf(first!.d)).not.toBe(startOf(second!.d));
    expect(endOf(first!.d)).not.toBe(endOf(second!.d));
    expect(first!.bounds.x).toBe(a.width);
    expect(first!.bounds.x + first!.bounds.width).toBe(400);
  });

  it('leave at the side where the other table is, round the sides when that is above', () => {
    const [line] = model.lines;
    const left = routeOf(line!, boxAt('a', 800), boxAt('b', 0), lanes);
    expect(left.d.startsWith('M800 ')).toBe(true);
    const above = routeOf(line!, boxAt('a', 0, 600), boxAt('b', 0), lanes);
    expect(above.bounds.x + above.bounds.width).toBeGreaterThan(boxAt('a', 0).width + 30);
  });

  it('from a table to itself are a loop beside it', () => {
    const own = model.lines.find(({ from, to }) => from.table === to.table)!;
    const a = boxAt('a', 0);
    const { d, bounds } = routeOf(own, a, a, lanes);
    expect(bounds.x).toBe(a.width);
    expect(bounds.width).toBeGreaterThan(30);
    expect(d.split('H')[0]).not.toBe(`M${a.width} ${rowMiddle(a, 'id')}`);
  });
});

describe('a layout', () => {
  const boxes = Array.from({ length: 130 }, (_, n) => ({ name: `t${n}`, width: 200, height: 60 + (n % 7) * 40 }));
  const lines = Array.from({ length: 110 }, (_, n): [string, string] => [`t${n + 1}`, `t${Math.floor(n / 3)}`]);

  it('places every box, none over another, and those without relations below', () => {
    const places = layOut({ boxes, lines: [...lines, ['t5', 't5']] });
    expect(places.size).toBe(130);
    const frames = boxes.map(({ name, width, height }) => ({ ...places.get(name)!, width, height }));
    expect(anyOverlap(frames)).toBe(false);
    const low = Math.max(...frames.slice(0, 111).map(({ y, height }) => y + height));
    expect(frames.slice(111).every(({ y }) => y > low)).toBe(true);
  });

  it('is about as wide as a window, whatever number of tables refer to one', () => {
    for (const count of [40, 130]) {
      const star = boxes.slice(1, count).map(({ name }): [string, string] => [name, 't0']);
      const places = layOut({ boxes: boxes.slice(0, count), lines: star });
      const frames = boxes.slice(0, count).map(({ name, width, height }) => ({ ...places.get(name)!, width, height }));
      expect(anyOverlap(frames)).toBe(false);
      const { width, height } = boundsOf(frames)!;
      expect(width / height).toBeGreaterThan(0.8);
      expect(width / height).toBeLessThan(3);
    }
  });

  it('is the same every time, and nothing for nothing', () => {
    expect(layOut({ boxes, lines })).toEqual(layOut({ boxes, lines }));
    expect(layOut({ boxes: [], lines: [] }).size).toBe(0);
    expect([...layOut({ boxes: [boxes[0]!], lines: [] })]).toEqual([['t0', { x: 0, y: 0 }]]);
  });
});

describe('places', () => {
  const boxes = new Map(['a', 'b', 'c', 'd'].map((name) => [name, boxFor(name, 5)]));
  const related = (name: string) => (name === 'c' ? ['a'] : []);

  it('stay; new tables find a free place, beside a related one where there is one; gone ones are forgotten', () => {
    const earlier = new Map([
      ['a', { x: 0, y: 0 }],
      ['b', { x: boxes.get('a')!.width + 80, y: 0 }],
      ['gone', { x: 5, y: 5 }],
    ]);
    const places = placeAll(boxes, earlier, related);
    expect([...places.keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(places.get('a')).toEqual({ x: 0, y: 0 });
    expect(anyOverlap([...boxes].map(([name, { width, height }]) => ({ ...places.get(name)!, width, height })))).toBe(
      false,
    );
    expect(Math.abs(places.get('c')!.x)).toBeLessThan(400);
    expect(places.get('d')!.y).toBeGreaterThan(boxes.get('a')!.height);
  });

  it('are kept for a person, a service and a choice of fields', () => {
    placesStore(1, 'shop', 'all').write(new Map([['a', { x: 1.4, y: -2 }]]));
    expect(placesStore(1, 'shop', 'all').read()).toEqual(new Map([['a', { x: 1, y: -2 }]]));
    for (const other of [placesStore(2, 'shop', 'all'), placesStore(1, 'den', 'all'), placesStore(1, 'shop', 'keys')])
      expect(other.read().size).toBe(0);
    placesStore(1, 'shop', 'all').forget();
    expect(placesStore(1, 'shop', 'all').read().size).toBe(0);
  });

  it('that are unreadable count as none, and there is a bound', () => {
    for (const text of [null, '{', '{}', '[["a",1]]', '[["a","1",2]]', '[["a",1e9,2]]'])
      expect(parsePlaces(text).size).toBe(0);
    const many = new Map(Array.from({ length: 6000 }, (_, n) => [`t${n}`, { x: n, y: 0 }]));
    expect(parsePlaces(serializePlaces(many)).size).toBe(5000);
  });
});

describe('the window', () => {
  const size = { width: 800, height: 600 };

  it('zooms about a point that stays', () => {
    const view = zoomAt({ x: 100, y: 50, zoom: 1 }, 2, { x: 300, y: 250 });
    expect(view).toEqual({ x: -100, y: -150, zoom: 2 });
    expect(zoomAt(view, 99, { x: 0, y: 0 }).zoom).toBe(maxZoom);
    expect(zoomAt(view, 0, { x: 0, y: 0 }).zoom).toBe(minZoom);
  });

  it('fits what is large and does not blow up what is small', () => {
    const seen = visibleFrame(fitted({ x: 100, y: 0, width: 8000, height: 100 }, size), size);
    expect(seen.x).toBeLessThan(100);
    expect(seen.x + seen.width).toBeGreaterThan(8100);
    expect(fitted({ x: 0, y: 0, width: 10, height: 10 }, size).zoom).toBe(1);
  });

  it('moves no more than is needed to reveal something', () => {
    const view = centred({ x: 0, y: 0, width: 100, height: 100 }, size, 1);
    expect(revealed(view, { x: 0, y: 0, width: 100, height: 100 }, size)).toBe(view);
    expect(revealed(view, { x: 400, y: 0, width: 100, height: 100 }, size)).toEqual({
      ...view,
      x: view.x - 82,
    });
  });

  it('finds the nearest box in a direction', () => {
    const at = (x: number, y: number): Frame => ({ x, y, width: 10, height: 10 });
    const others: [string, Frame][] = [
      ['right', at(100, 20)],
      ['far right', at(300, 0)],
      ['down', at(0, 80)],
    ];
    expect(nearest(at(0, 0), others, 'right')).toBe('right');
    expect(nearest(at(0, 0), others, 'down')).toBe('down');
    expect(nearest(at(0, 0), others, 'left')).toBeNull();
  });
});

describe('an export', () => {
  const palette = Object.fromEntries(Object.keys(paints).map((paint) => [paint, 'rgb(1, 2, 3)'])) as Palette;

  it('holds every table and line in plain colours, whatever they are called', () => {
    const name = `<script>alert("x")</script> & 'co'\u0001`;
    const tables = [
      aTable(name, [anId(), aReference('b_id', 'b')], [aRelation({ field: 'b_id', ref_table: 'b', is_virtual: true })]),
      aTable('b'),
    ];
    const model = modelOf(tables);
    const boxes = [...model.tables.values()].map((table, index) =>
      placed(boxOf(table, 'all'), { x: index * 500, y: -40 }),
    );
    const routes = model.lines.map((line) => routeOf(line, boxes[0]!, boxes[1]!, lanesOf(model.lines)));
    const { markup, width, height } = toSvg({ title: `Diagram of ${name}`, boxes, routes }, palette);
    const file = new DOMParser().parseFromString(markup, 'image/svg+xml');
    expect(file.querySelector('parsererror')).toBeNull();
    expect(file.querySelector('script')).toBeNull();
    expect(file.querySelector('title')?.textContent).toBe(`Diagram of ${name.replace('\u0001', '\ufffd')}`);
    expect([...file.querySelectorAll('text')].map(({ textContent }) => textContent)).toContain('b_id');
    expect(file.querySelectorAll('[stroke-dasharray]')).toHaveLength(1);
    expect(markup).not.toMatch(/var\(|class=|style=/);
    expect(width).toBeGreaterThan(500 + boxes[1]!.width);
    expect(file.documentElement.getAttribute('viewBox')).toBe(`-40 -80 ${width} ${height}`);
  });

  it('writes lone surrogates as nothing a parser would refuse', () => {
    expect(escapeMarkup('a\ud800b😀<')).toBe('a\ufffdb😀&lt;');
  });

  it('as PNG is no larger than a canvas', () => {
    expect(pngScale(1000, 800)).toBe(2);
    for (const [width, height] of [
      [40_000, 300],
      [20_000, 20_000],
    ] as const) {
      const scale = pngScale(width, height);
      expect(Math.max(width, height) * scale).toBeLessThanOrEqual(8192.001);
      expect(width * height * scale ** 2).toBeLessThanOrEqual(32_000_001);
    }
  });
});
