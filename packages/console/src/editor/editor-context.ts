import { createContext, type ReactNode, useContext } from 'react';
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
