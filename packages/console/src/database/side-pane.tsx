import { ActionIcon, FocusTrap, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useText } from '../text/index.ts';
import { useNarrowWindow } from '../ui/use-narrow-window.ts';
import layout from './layout.module.css';
import { Resizer } from './resizer.tsx';
import classes from './side-pane.module.css';

interface SidePaneProps {
  title: string;
  note?: ReactNode;
  onClose: () => void;
  onSave: (() => void) | null;
  /** An error of the whole record. */
  problem?: string | undefined;
  /** How often the problem was to be shown: each time, the first field at fault gets the focus. */
  problemShown?: number;
  /** Buttons under the title: at the bottom, toasts would cover them. */
  actions: ReactNode;
  children: ReactNode;
}

/** Inputs that cannot be marked themselves, as an editor of JSON, stand in a field that is. */
const firstAtFault =
  '[aria-invalid="true"], [data-wrong] :is(input:not([type="hidden"]), textarea, select, button:not([aria-pressed]), [contenteditable="true"])';

/** The pane beside the records: a title, buttons, and a form. */
export function SidePane({ title, note, onClose, onSave, problem, problemShown, actions, children }: SidePaneProps) {
  const t = useText('database');
  const titleId = useId();
  const pane = useRef<HTMLElement>(null);
  const isModal = useNarrowWindow('md');
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement)
          opener.focus({ preventScroll: true });
      });
    };
  }, []);
  useEffect(() => {
    // On a phone the on-screen keyboard would cover the record.
    if (isModal) return;
    const first = pane.current?.querySelector<HTMLElement>(
      '[data-inputs] > :not([data-counted]) :is(input, textarea, select):not([disabled], [readonly])',
    );
    (first ?? pane.current)?.focus({ preventScroll: true });
  }, [isModal]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is to be shown
  useEffect(() => {
    const input = problem ? pane.current?.querySelector<HTMLElement>(firstAtFault) : null;
    // One that has the focus already is scrolled to as well: what is said above it has moved it.
    input?.scrollIntoView?.({ block: 'center' });
    input?.focus({ preventScroll: true });
  }, [problem, problemShown]);
  useHotkeys([['mod+S', () => onSave?.()]], [], true);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    // Escape closes a menu first; in a code editor, Escape and then Tab leave the editor.
    const isHandled = target.getAttribute('aria-expanded') === 'true' || target.isContentEditable;
    // Dialogs of the pane are its children, but stand elsewhere.
    if (event.key !== 'Escape' || isHandled || !pane.current?.contains(target)) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <FocusTrap active={Boolean(isModal)} innerRef={pane}>
      <section
        className={layout.pane}
        role="dialog"
        aria-modal={isModal ? true : undefined}
        aria-labelledby={titleId}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <header className={classes.paneHead}>
          <div className={classes.paneTitle}>
            <Title order={2} id={titleId} tabIndex={-1} data-autofocus className={classes.paneName!}>
              {title}
            </Title>
            {note}
          </div>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX className={classes.icon} aria-hidden />
          </ActionIcon>
        </header>
        <div className={classes.paneActions}>{actions}</div>
        {problem ? (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        ) : null}
        <div className={classes.paneBody}>{children}</div>
        <Resizer panel="pane" />
      </section>
    </FocusTrap>
  );
}
