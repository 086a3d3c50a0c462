// Editors: one page for creating and editing a record (load, guard against leaving, save, delete, drafts, keys) and its looks.
// A screen provides what is particular to it and puts inputs of fields/ inside.

export type { Conflict } from './conflict/conflict.ts';
export { ConflictDialog } from './conflict/conflict-dialog.tsx';
export { type ConflictChoice, compareForms, type Difference } from './conflict/differences.ts';
export { EditorContext, useEditor, useField, useInputProblem } from './editor-context.ts';
export { EditorScreen, type EditorScreenProps } from './editor-screen.tsx';
export { type EditorTab, editorTabs } from './editor-tabs.ts';
export { recordIdOf } from './record-id.ts';
export { Section } from './section.tsx';
export { SectionRoutes } from './section-routes.tsx';
export type { EditorSource, FormValues } from './source.ts';
export type { EditorController } from './use-editor-controller.ts';
export { declaredRules, validateForm } from './validate.ts';
export { recordKey } from './writing/records.ts';
