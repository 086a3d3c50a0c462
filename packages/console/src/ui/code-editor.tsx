import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import classes from './code-editor.module.css';

/** Something that can be written at the caret. */
export interface Completion {
  label: string;
  kind: 'variable' | 'property' | 'method';
  /** A few words behind it: its type, or what it is. */
  detail?: string;
  /** A sentence beside it. */
  info?: string;
  /** What is written in place of the label. */
  apply?: string;
}

/** What fits behind a text: it replaces the last `length` characters of it. */
export interface Completions {
  length: number;
  options: readonly Completion[];
}

export interface CodeEditorProps {
  value: string;
  onChange?: (value: string) => void;
  /** A name as service types and scripts give it; `nodejs` and `v8js` are JavaScript (NAV-046); unknown ones are plain text. */
  language?: string;
  readOnly?: boolean;
  /** Long lines go on in the next one, as in a text. */
  wraps?: boolean;
  /** A CSS length; 20rem when absent. */
  height?: string;
  /** What fits at the caret, given the text before it, the last few lines of it. */
  complete?: ((before: string) => Completions | null) | undefined;
  /** Where the caret is put, with the focus, whenever another one is given. */
  caret?: { offset: number } | undefined;
  /** What is edited, for those who do not see it. */
  label: string;
  /** Id of the element that describes it (its help or its error). */
  describedBy?: string;
}

const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }));

/** A code editor; its library is loaded when the first one is shown. */
export const CodeEditor = (props: CodeEditorProps) => {
  const height = props.height ?? '20rem';
  return (
    <Suspense fallback={<Skeleton h={height} className={classes.frame!} />}>
      <CodeMirror {...props} height={height} />
    </Suspense>
  );
};
