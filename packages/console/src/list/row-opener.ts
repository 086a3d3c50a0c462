import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';

/** What a click on a row does: as a link would, it opens the address, in a new tab with the modifier. */
export function useRowOpener(to: string, state: unknown): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    if (isOwnClick(event)) return;
    if (event.metaKey || event.ctrlKey) window.open(to, '_blank', 'noopener');
    else navigate(to, { state });
  };
}

/** Whether a click belongs to something inside the row, or only ended a selection of text. */
const isOwnClick = (event: MouseEvent): boolean =>
  event.defaultPrevented ||
  (event.target as Element).closest('a, button, input, label, [data-row-part], [role="menu"]') !== null ||
  !event.currentTarget.contains(event.target as Node) ||
  (window.getSelection()?.toString() ?? '') !== '';
