import { createContext, type ReactNode, useContext, useEffect } from 'react';
import type { FormValues } from './source.ts';
import type { EditorController } from './use-editor-controller.ts';
import { declaredRules } from './validate.ts';

export const EditorContext = createContext<EditorController<FormValues> | null>(null);

/** The editor around; `F` is the form its screen declared. */
export function useEditor<F extends FormValues = FormValues>(): EditorController<F> {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('An input of an editor stands outside of one.');
  return editor as unknown as EditorController<F>;
}

/**
 * What an input finds wrong by itself, which the values of the form do not show: rows that a map cannot hold. Nothing is saved
 * meanwhile. `path` is that of its value.
 */
export function useInputProblem(path: string, problem: string | null): void {
  const problems = useContext(EditorContext)?.inputProblems;
  useEffect(() => {
    if (problem === null || !problems) return;
    problems.set(path, problem);
    return () => void problems.delete(path);
  }, [problems, path, problem]);
}

/** One field of the form around: its value, what is wrong with it, and how to change it. */
export function useField<T>(name: string): {
  value: T;
  error: ReactNode;
  onChange: (value: T) => void;
  disabled: boolean;
  /** As the resource declares it. */
  maxLength: number | undefined;
} {
  const { form, isReadOnly, resource } = useEditor();
  return {
    value: form.values[name] as T,
    error: form.errors[name],
    onChange: (value) => form.setFieldValue(name, value as never),
    disabled: isReadOnly,
    maxLength: declaredRules(resource, name).max,
  };
}
