import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import classes from './code-editor.module.css';

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
