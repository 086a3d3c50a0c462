import classes from './drop-down.module.css';

/**
 * For every Select and Autocomplete: the menu is rendered beside its input, inside the page's landmarks, and its list scrolls by itself,
 * as those who navigate by landmarks and by keyboard need it.
 */
export const dropDownProps = {
  comboboxProps: { withinPortal: false, floatingStrategy: 'fixed' },
  withScrollArea: false,
  classNames: { options: classes.options! },
} as const;
