// Where the frame of a list's table lay when it was last measured, for pages that are drawn before they can be measured
// (app/ahead/page.tsx).

const key = 'sluice.list-frame';

export interface ListFrame {
  /** Pixels, as all of them. */
  width: number;
  /** From the top of the window. */
  top: number;
}

/** Keeps where the frame lies in this window. */
export const rememberListFrame = ({ width, top }: ListFrame): void => {
  const text = JSON.stringify([innerWidth, width, top]);
  if (localStorage.getItem(key) !== text) localStorage.setItem(key, text);
};

/** Where a frame lies, for a page that is drawn without a window; undefined where there is one, or it had another width. */
export const drawnListFrame = (): ListFrame | undefined => {
  if (typeof window !== 'undefined') return undefined;
  const [windowWidth, width, top] = JSON.parse(localStorage.getItem(key) ?? '[]');
  return windowWidth === innerWidth ? { width, top } : undefined;
};
