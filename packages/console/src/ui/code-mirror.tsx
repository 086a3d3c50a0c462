import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  type LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { oneDarkHighlightStyle } from '@codemirror/theme-one-dark';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { nonce } from '../theme/nonce.ts';
import classes from './code-editor.module.css';
import type { CodeEditorProps } from './code-editor.tsx';

const languages = new Map<string, () => Promise<LanguageSupport>>(
  Object.entries({
    javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
    json: async () => (await import('@codemirror/lang-json')).json(),
    python: async () => (await import('@codemirror/lang-python')).python(),
    php: async () => (await import('@codemirror/lang-php')).php({ plain: true }),
    sql: async () => (await import('@codemirror/lang-sql')).sql(),
    yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  }),
);

const aliases = new Map<string, string>(
  Object.entries({
    nodejs: 'javascript',
    v8js: 'javascript',
    js: 'javascript',
    python3: 'python',
    yml: 'yaml',
  }),
);

/** Characters before the caret that completion may look at. */
const maxLookBack = 500;

/** Offers what `complete` says, and what the language itself knows, such as names of variables. */
function completion(complete: NonNullable<CodeEditorProps['complete']>): Extension {
  const source = ({ state, pos }: CompletionContext): CompletionResult | null => {
    const found = complete(state.sliceDoc(Math.max(0, pos - maxLookBack), pos));
    if (!found || found.options.length === 0) return null;
    const options = found.options.map(({ kind, ...option }) => ({ ...option, type: kind, boost: 1 }));
    return { from: pos - found.length, options, validFor: /^\w*$/ };
  };
  return [
    EditorState.languageData.of(() => [{ autocomplete: source }]),
    autocompletion({ icons: false }),
    keymap.of(completionKeymap),
  ];
}

const highlighting: Record<'light' | 'dark', Extension> = {
  light: syntaxHighlighting(HighlightStyle.define([...defaultHighlightStyle.specs])),
  dark: syntaxHighlighting(oneDarkHighlightStyle),
};

/** The editor itself, in a chunk of its own. */
export const CodeMirror = ({
  value,
  onChange,
  language,
  readOnly = false,
  wraps = false,
  height,
  caret,
  complete,
  label,
  describedBy,
}: CodeEditorProps) => {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const compartments = useRef({
    language: new Compartment(),
    behaviour: new Compartment(),
    colorScheme: new Compartment(),
    ariaAttributes: new Compartment(),
  });
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const latestComplete = useRef(complete);
  latestComplete.current = complete;
  const firstValue = useRef(value);
  const colorScheme = useComputedColorScheme('light');

  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        // Not as a change: undoing would empty the editor.
        doc: firstValue.current,
        extensions: [
          EditorView.cspNonce.of(nonce()),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          latestComplete.current ? completion((before) => latestComplete.current?.(before) ?? null) : [],
          // Tab indents; Escape before Tab leaves the editor, so that the keyboard is never caught.
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          ...Object.values(compartments.current).map((compartment) => compartment.of([])),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latestOnChange.current?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !caret) return;
    const anchor = Math.min(caret.offset, editor.state.doc.length);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    editor.focus();
  }, [caret]);

  useEffect(() => {
    view.current?.dispatch({
      effects: compartments.current.behaviour.reconfigure([
        EditorState.readOnly.of(readOnly),
        EditorView.editable.of(true),
        wraps ? EditorView.lineWrapping : [],
      ]),
    });
  }, [readOnly, wraps]);

  useEffect(() => {
    view.current?.dispatch({ effects: compartments.current.colorScheme.reconfigure(highlighting[colorScheme]) });
  }, [colorScheme]);

  useEffect(() => {
    // It takes the focus anyway; said, checkers see that its scroll area can be reached.
    const attributes: Record<string, string> = { 'aria-label': label, tabindex: '0' };
    if (describedBy) attributes['aria-describedby'] = describedBy;
    if (readOnly) attributes['aria-readonly'] = 'true';
    view.current?.dispatch({
      effects: compartments.current.ariaAttributes.reconfigure(EditorView.contentAttributes.of(attributes)),
    });
  }, [label, describedBy, readOnly]);

  useEffect(() => {
    let isCurrent = true;
    const loadLanguage = languages.get(aliases.get(language ?? '') ?? language ?? '');
    const setLanguage = (support: Extension) =>
      isCurrent && view.current?.dispatch({ effects: compartments.current.language.reconfigure(support) });
    if (loadLanguage) void loadLanguage().then(setLanguage, () => setLanguage([]));
    else setLanguage([]);
    return () => {
      isCurrent = false;
    };
  }, [language]);

  return <div ref={host} className={classes.frame} style={{ height }} />;
};
