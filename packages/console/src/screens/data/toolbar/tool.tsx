import type { ComponentProps } from 'react';
import { ToolButton } from '../../../ui/index.ts';
import ownClasses from './toolbar.module.css';

/** A button of Data's bars. */
export const Tool = ({ isDesktopOnly, isHidden, ...rest }: ToolProps) => (
  <ToolButton
    {...(isDesktopOnly ? { className: ownClasses.extra! } : {})}
    {...(isHidden ? { style: { visibility: 'hidden' } } : {})}
    {...rest}
  />
);

type ToolProps = ComponentProps<typeof ToolButton> & {
  /** The same button is shown elsewhere now; its space stays free. */
  isHidden?: boolean;
  /** Not shown on a phone. */
  isDesktopOnly?: boolean;
};
