// Keys pressed between ⌘K and the moment the palette has the focus: they belong to its input, not to the page below.

import { isMac } from './shortcuts.ts';

/** As many keys as are kept; nobody types more in that time. */
const maxKeys = 200;
const controlKeys = ['Backspace', 'Enter', 'ArrowDown', 'ArrowUp'];

export interface TypeAhead {
  /** The keys so far, in order: characters as they are, others by name. Ends the catching. */
  take: () => string[];
  /** Ends the catching and forgets what was caught. */
  stop: () => void;
  isCatching: () => boolean;
}

/** Catches keys from now on. Escape gives up: `onCancel`. */
export function catchKeys(onCancel: () => void): TypeAhead {
  let keys: string[] = [];
  let isCatching = true;
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isCharacter = [...event.key].length === 1 && !isCommand(event);
    if (event.key === 'Escape') {
      stop();
      onCancel();
    } else if ((isCharacter || controlKeys.includes(event.key)) && keys.length < maxKeys) keys.push(event.key);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const stop = () => {
    window.removeEventListener('keydown', onKey, true);
    keys = [];
    isCatching = false;
  };
  window.addEventListener('keydown', onKey, true);
  return {
    take() {
      const caught = keys;
      stop();
      return caught;
    },
    stop,
    isCatching: () => isCatching,
  };
}

/** Whether a key is a command. Some keyboards write characters with Ctrl and Alt together, a Mac with Alt alone. */
const isCommand = ({ metaKey, ctrlKey, altKey }: KeyboardEvent): boolean =>
  metaKey || (ctrlKey && !altKey) || (altKey && !ctrlKey && !isMac());
