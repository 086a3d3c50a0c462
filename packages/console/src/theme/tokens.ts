// Every colour, space, radius, type size and duration of the console that scripts need; those only style sheets need are in tokens.css.

import type { MantineColorsTuple } from '@mantine/core';

/** The one accent: deep water. Shade 7 carries white text at 6.3:1, shade 3 reads on the dark surfaces. */
export const water: MantineColorsTuple = [
  '#eef7fa',
  '#dceef4',
  '#b9dce8',
  '#8cc5d9',
  '#5aaac5',
  '#358faf',
  '#207a9a',
  '#166682',
  '#11536b',
  '#0b3d50',
];

/** Neutrals of the light scheme: cool, barely tinted, so that the accent stays the only colour. */
export const gray: MantineColorsTuple = [
  '#f8f9fa',
  '#f1f3f5',
  '#e7eaed',
  '#dce0e4',
  '#c6ccd2',
  '#9aa3ac',
  '#69737d',
  '#4b545d',
  '#2f373f',
  '#1a2026',
];

/** Neutrals of the dark scheme; 0 is text, 7 the page. */
export const dark: MantineColorsTuple = [
  '#e3e7eb',
  '#b5bdc5',
  '#98a2ac',
  '#5f6a75',
  '#3a434c',
  '#2b323a',
  '#1e242a',
  '#14181d',
  '#0f1317',
  '#0a0d10',
];

export const fonts = {
  text: "Inter, 'Inter Fallback', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  mono: "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace",
};

export const fontSizes = { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' };
export const lineHeights = { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' };
export const spacing = { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' };
export const radius = { xs: '0.1875rem', sm: '0.25rem', md: '0.375rem', lg: '0.625rem', xl: '1rem' };

/** Where the layout changes: `sm` is where a list stops being cards, `md` where the rail becomes a drawer, `summary` where one stands beside an editor. */
export const breakpoints = { xs: '30em', sm: '40em', md: '56em', lg: '68.75em', summary: '75em', xl: '88em' };

/** Milliseconds. */
export const motion = {
  /** Hovers, switches, menus. */
  quick: 120,
  /** Dialogs and panels. */
  calm: 180,
  /** The documents' flyouts (NAV-044). */
  flyout: 250,
  /** A skeleton shorter than this would only flicker. */
  skeletonDelay: 150,
  /** How long a toast stays. */
  toast: 3000,
};

/** The documents' flyouts are this wide (NAV-044). */
export const flyoutWidth = 300;
