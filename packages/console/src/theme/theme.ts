import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core';
import { breakpoints, dark, fontSizes, fonts, gray, lineHeights, motion, radius, spacing, water } from './tokens.ts';

/** Milliseconds for Mantine's transitions: dialogs and panels, then menus and tooltips. */
const calm = { duration: motion.calm };
const quick = { transition: 'fade', duration: motion.quick } as const;

const tones = new Map([
  ['red', 'danger'],
  ['yellow', 'warning'],
  ['green', 'success'],
  ['water', 'accent'],
]);

/** Alerts, badges and red buttons take their tones from tokens.css, where both schemes reach 4.5:1. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const tone = tones.get(input.color ?? input.theme.primaryColor);
  if (!tone) return colors;
  const soft = { background: `var(--s-${tone}-soft)`, hover: `var(--s-${tone}-soft)`, color: `var(--s-${tone})` };
  if (input.variant === 'light') return { ...colors, ...soft };
  if (input.variant === 'subtle' || input.variant === 'transparent')
    return { ...colors, color: soft.color, hover: input.variant === 'subtle' ? soft.hover : colors.hover };
  if (input.variant === 'filled' && tone === 'danger')
    return {
      ...colors,
      background: 'var(--s-danger-filled)',
      hover: 'var(--s-danger-filled-hover)',
      color: 'var(--mantine-color-white)',
    };
  return colors;
};

/**
 * Mantine, dressed once. Components are named by key, not imported, so that a page loads only those it shows.
 * The filled shade is 7 in both schemes: white on it reaches 4.5:1, which Mantine's own default does not.
 */
export const theme = createTheme({
  primaryColor: 'water',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  variantColorResolver,
  colors: { water, gray, dark },
  white: '#ffffff',
  black: gray[9],
  fontFamily: fonts.text,
  fontFamilyMonospace: fonts.mono,
  fontSizes,
  lineHeights,
  spacing,
  radius,
  breakpoints,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  headings: {
    fontFamily: fonts.text,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h4: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } },
    Input: { defaultProps: { size: 'sm' } },
    InputWrapper: { defaultProps: { size: 'sm', inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Checkbox: { defaultProps: { size: 'sm' } },
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false } },
    Radio: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'sm' } },
    Paper: { defaultProps: { radius: 'lg' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    // The placeholder that Mantine puts first would be an unnamed child of the menu.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        shadow: 'md',
        transitionProps: quick,
        position: 'bottom-end',
      },
    },
    Popover: { defaultProps: { shadow: 'md', transitionProps: quick } },
    Combobox: { defaultProps: { shadow: 'md', transitionProps: quick } },
    // A dialog's head is no head of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Tooltip: { defaultProps: { transitionProps: quick, openDelay: 350, withArrow: false } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        transitionProps: calm,
        overlayProps: { color: 'var(--s-mask)', backgroundOpacity: 1 },
      },
    },
    Drawer: {
      defaultProps: {
        transitionProps: { duration: motion.flyout },
        overlayProps: { color: 'var(--s-mask)', backgroundOpacity: 1 },
      },
    },
    Anchor: { defaultProps: { underline: 'hover' } },
    Loader: { defaultProps: { type: 'dots' } },
  },
});

const surfaces = {
  '--mantine-color-body': 'var(--s-page)',
  '--mantine-color-text': 'var(--s-text)',
  '--mantine-color-dimmed': 'var(--s-text-soft)',
  '--mantine-color-placeholder': 'var(--s-text-soft)',
  '--mantine-color-anchor': 'var(--s-accent)',
  '--mantine-color-error': 'var(--s-danger)',
  '--mantine-color-default': 'var(--s-surface)',
  '--mantine-color-default-hover': 'var(--s-hover)',
  '--mantine-color-default-color': 'var(--s-text)',
  '--mantine-color-default-border': 'var(--s-line-strong)',
};

/** Mantine's own names for surfaces and texts follow ours, in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: surfaces, dark: surfaces });
