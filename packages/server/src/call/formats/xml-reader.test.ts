import { expect, it } from 'vitest';
import { visitXml } from './xml-reader.ts';

it('shows elements with their attributes, in the order of the text', () => {
  const seen: unknown[] = [];
  visitXml(
    '<?xml version="1.0"?><a:b name="x &amp; y" text-encoding=\'base64\'><!-- <c/> --><d/>text</a:b>',
    (name, attributes) => seen.push([name, Object.fromEntries(attributes)]),
  );
  expect(seen).toEqual([
    ['a:b', { name: 'x & y', 'text-encoding': 'base64' }],
    ['d', {}],
  ]);
});

it.each(['<!DOCTYPE a><a/>', '<a b="&x;"/>', `${'<a>'.repeat(100_000)}`, '<a></b>'])(
  'abuse: keeps the bounds of bodies: %.20s',
  (text) => {
    expect(() => visitXml(text, () => {})).toThrow();
  },
);
