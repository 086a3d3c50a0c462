// What every component test needs: all texts in English, and the parts of a browser that jsdom lacks.

import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';
import { loadAllText, startText } from './text/index.ts';

// Parts that load on demand take their time on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

class NoResizes implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver = NoResizes;
window.matchMedia = (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
});
// Text areas that grow measure again when fonts arrive.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
Element.prototype.scrollTo = () => {};
document.elementFromPoint = () => null;
// CodeMirror measures text; jsdom has no layout to measure.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();

beforeAll(async () => {
  await startText();
  await loadAllText();
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  // Drafts of forms: the next file would be offered them.
  sessionStorage.clear();
});
