import { useRef, useState } from 'react';
import { CodeEditor } from '../../../../ui/index.ts';
import { formatJson } from '../../values/json.ts';

interface JsonInputProps {
  label: string;
  describedBy: string;
  value: string;
  onChange: (value: string) => void;
  isLocked: boolean;
}

/** JSON laid out for reading; as long as nothing is changed in it, the database's own text stays. */
export function JsonInput({ label, describedBy, value, onChange, isLocked }: JsonInputProps) {
  const [initial] = useState(() => ({ value, shown: formatJson(value) }));
  const last = useRef(initial);
  // Another value from outside: reverted, or set to null.
  if (last.current.value !== value) last.current = { value, shown: formatJson(value) };
  const { shown } = last.current;
  const lines = shown.split('\n').length;
  return (
    <CodeEditor
      label={label}
      describedBy={describedBy}
      language="json"
      wraps
      readOnly={isLocked}
      height={`${Math.min(20, Math.max(4, lines + 1)) * 1.4}rem`}
      value={shown}
      onChange={(next) => {
        const stored = next === initial.shown ? initial.value : next;
        last.current = { value: stored, shown: next };
        if (stored !== value) onChange(stored);
      }}
    />
  );
}
