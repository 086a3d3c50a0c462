import { describe, expect, it } from 'vitest';
import { detectFileKind, toBase64, toBytes } from './bytes.ts';

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

describe('the kind of bytes', () => {
  it.each([
    ['89504e470d0a1a0a0000', 'png'],
    ['ffd8ffe0', 'jpg'],
    ['474946383961', 'gif'],
    ['52494646aabbccdd57454250', 'webp'],
    ['255044462d312e37', 'pdf'],
    ['504b0304', 'zip'],
    ['1f8b08', 'gz'],
    ['48656c6c6f0a', 'txt'],
  ])('%s: %s', (hex, ending) => expect(detectFileKind(base64(hex))?.extension).toBe(ending));

  it('is unknown for other bytes, for none, and for a text that is not base64', () => {
    expect(detectFileKind(base64('0001ff'))).toBeNull();
    expect(detectFileKind('')).toBeNull();
    expect(detectFileKind('no base64!')).toBeNull();
  });
});

it('bytes survive a round trip, however many', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  expect(toBytes(toBase64(bytes))).toEqual(bytes);
});
