import type { ApiCall } from './call.ts';
import { writeCurl } from './curl.ts';
import { writeJavaScript } from './javascript.ts';
import { writePhp } from './php.ts';
import { writePython } from './python.ts';

/** What a call can be written in, the first one shown until another is chosen. */
export const languages = [
  { id: 'curl', label: 'curl', write: writeCurl },
  { id: 'javascript', label: 'JavaScript', write: writeJavaScript },
  { id: 'python', label: 'Python', write: writePython },
  { id: 'php', label: 'PHP', write: writePhp },
] as const satisfies readonly { id: string; label: string; write: (call: ApiCall) => string }[];

export type CodeLanguage = (typeof languages)[number]['id'];
