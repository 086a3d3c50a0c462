import { describe, expect, it } from 'vitest';
import { windowOf, windowSize, windowsFor } from './windows.ts';

describe('windows', () => {
  it('contain the visible rows and those next to them', () => {
    expect(windowsFor(0, 30, 100_000)).toEqual([0]);
    expect(windowsFor(20, 50, 100_000)).toEqual([0, 1]);
    expect(windowsFor(50_030, 50_060, 100_000)).toEqual([499, 500, 501]);
  });
  it('end with the table', () => {
    expect(windowsFor(99_980, 99_999, 100_000)).toEqual([999]);
    expect(windowsFor(0, 30, 0)).toEqual([]);
    expect(windowsFor(0, 30, 5)).toEqual([0]);
  });
  it('are counted from 0', () => expect([0, windowSize - 1, windowSize].map(windowOf)).toEqual([0, 0, 1]));
});
