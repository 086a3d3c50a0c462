import { text } from '../../../text/index.ts';

/** What all forms of Schema ask before something unsaved is lost. */
export const unsavedQuestion = () => ({ message: text('schema:confirmUnsaved') });
