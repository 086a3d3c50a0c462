// What every screen is made of: the page shell, its states, notices, questions, small inputs. Imports nothing of ours but texts and the theme.

export { CodeEditor, type CodeEditorProps, type Completion, type Completions } from './code-editor.tsx';
export { ask, type ConfirmOptions, confirm } from './confirm.ts';
export { CopyButton, copyText } from './copy-button.tsx';
export { useScrollToCurrentTab } from './current-tab.ts';
export { DateText, IdText } from './date-text.tsx';
export { describeError } from './describe-error.ts';
export { dropDownProps } from './drop-down.ts';
export { FailedLine } from './failed-line.tsx';
export { HeadRow } from './head-row.tsx';
export { leadToError } from './lead-to-error.ts';
export { notify } from './notify.ts';
export { Page, type PageTab } from './page.tsx';
export { isPageAddress } from './page-address.ts';
export { usePageTitle } from './page-title.ts';
export { SearchInput } from './search-input.tsx';
export { SearchMultiSelect } from './search-multi-select.tsx';
export { SearchSelect } from './search-select.tsx';
export { SecretInput } from './secret-input.tsx';
export { ServiceConfigLink } from './service-config-link.tsx';
export { iconOfType, ServiceTypeIcon } from './service-type-icon.tsx';
export { Empty, Failed, Loading, NoMatch, NotAllowed, Offline, RequestId } from './states.tsx';
export { createStore, type Store, useStore } from './store.ts';
export { SuggestInput } from './suggest-input.tsx';
export { ToolButton } from './tool-button.tsx';
export { useFileDrop } from './use-file-drop.ts';
export { useNarrowWindow } from './use-narrow-window.ts';
export { Waiting } from './waiting.tsx';
