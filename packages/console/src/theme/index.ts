// How the console looks, in one place: tokens.ts (values), tokens.css (variables of both schemes), theme.ts (Mantine's defaults).
// Components use Mantine's props and the variables; a colour or a pixel value anywhere else is a mistake.

export { nonce } from './nonce.ts';
export { colorScheme, schemeKey } from './scheme.ts';
export { cssVariables, theme } from './theme.ts';
export { breakpoints, flyoutWidth, motion } from './tokens.ts';
