/** How many frames the input at fault may take to be there: its tab opens, a dialog goes. */
const maxFrames = 60;

/**
 * Leads to what is wrong in a form: its first input at fault comes into the middle of the sight, with the focus. Returns a function that
 * gives up looking.
 */
export function leadToError(form: () => HTMLElement | null): () => void {
  let left = maxFrames;
  const look = () => {
    left -= 1;
    if (!focusFirstError(form()) && left > 0) frame = requestAnimationFrame(look);
  };
  let frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}

/** False while there is none, or while it cannot have the focus. */
function focusFirstError(form: HTMLElement | null): boolean {
  const input =
    form?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    form
      ?.querySelector('.mantine-InputWrapper-error')
      ?.parentElement?.querySelector<HTMLElement>('input, textarea, button, [tabindex]');
  if (!input || input.closest('[inert]') || document.querySelector('[role="dialog"]')) return false;
  const folded = input.closest<HTMLDetailsElement>('details:not([open])');
  if (folded) folded.open = true;
  input.scrollIntoView?.({ block: 'center' });
  input.focus({ preventScroll: true });
  return true;
}
