import { expect, it } from 'vitest';
import { decodeText, encodeText, whyHidden } from './content.ts';

const bytes = (...parts: BlobPart[]) => {
  const blob = new Blob(parts);
  // jsdom's has none.
  blob.arrayBuffer ??= () => new Response(blob).arrayBuffer();
  return blob;
};

it.each([
  ['a\nb', 'a\nb', '\n', false],
  ['a\r\nb\r\n', 'a\nb\n', '\r\n', false],
  ['a\r\nb\n', 'a\nb\n', '\r\n', true],
  ['a\0b', 'a\0b', '\n', true],
])('the lines of %j', async (stored, text, lineEnd, isReadOnly) => {
  const decoded = await decodeText(bytes(stored));
  expect(decoded).toEqual({ text, lineEnd, isReadOnly });
  if (!isReadOnly) expect(encodeText(decoded.text, decoded.lineEnd)).toBe(stored);
});

it('bytes that are no text are shown, not saved', async () => {
  expect((await decodeText(bytes(new Uint8Array([0x61, 0xff, 0xfe])))).isReadOnly).toBe(true);
});

it('what is large or of no kind that can be shown is for a download', () => {
  const file = { path: 'a', modified: null, isFolder: false };
  expect(whyHidden({ ...file, name: 'a.txt', contentType: 'text/plain', size: 3_000_000 })).toBe('size');
  expect(whyHidden({ ...file, name: 'a.exe', contentType: 'application/octet-stream', size: 1 })).toBe('kind');
  expect(whyHidden({ ...file, name: 'a.svg', contentType: 'image/svg+xml', size: 1 })).toBeNull();
});
