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

/** JSON formatted for reading; while nothing is changed in it, the value stays the database's own text. */
export function JsonInput({ label, describedBy, value, onChange, isLocked }: JsonInputProps) {
  const [initial] = useState(() => ({ value, shown: formatJson(value) }));
  const last = useRef(initial);
  // The value changed from outside: it was reverted, or set to null.
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
        const nextValue = next === initial.shown ? initial.value : next;
        last.current = { value: nextValue, shown: next };
        if (nextValue !== value) onChange(nextValue);
      }}
    />
  );
}
