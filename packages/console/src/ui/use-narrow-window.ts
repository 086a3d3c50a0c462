import { useMediaQuery } from '@mantine/hooks';
import { breakpoints } from '../theme/index.ts';

/** Whether the window is narrower than a breakpoint, from the first rendering on; also where a page is drawn without a window. */
export const useNarrowWindow = (breakpoint: keyof typeof breakpoints): boolean =>
  useMediaQuery(
    `(max-width: ${breakpoints[breakpoint]})`,
    hasWindow ? undefined : innerWidth <= pixelsOf(breakpoint),
    // Only with an effect the value beside it counts.
    { getInitialValueInEffect: !hasWindow },
  );

const hasWindow = typeof window !== 'undefined';

/** Breakpoints are in `em` of the browser's own text. */
const pixelsOf = (breakpoint: keyof typeof breakpoints): number => 16 * Number.parseFloat(breakpoints[breakpoint]);
