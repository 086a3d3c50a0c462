// Sample scripts, a file a language: what the Scripts screen inserts. Each runs as it is at any event.
import type { ScriptTypeName } from '@sluice/contract';

const files = import.meta.glob<string>(['./*.js', './*.php', './*.py'], { query: '?raw', import: 'default' });

const fileOf: Record<ScriptTypeName, string> = {
  nodejs: './nodejs.js',
  php: './php.php',
  python: './python.py',
  v8js: './v8js.js',
};

/** Loads the text of the sample of a language. */
export const loadSampleScript = (type: ScriptTypeName): Promise<string> =>
  (files[fileOf[type]] as () => Promise<string>)();
