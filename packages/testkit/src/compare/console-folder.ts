// A made-up build of the console. Both servers serve the very same files, with the same times, so that what is compared
// is how they are served and not which they are.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const script = `console.log(${JSON.stringify('a script '.repeat(100))});\n`;
const files: Record<string, string | Uint8Array> = {
  'index.html':
    '<!doctype html><html><head><style nonce="__CSP_NONCE__"></style><script type="module" src="/assets/app-1a2b3c4d.js"></script></head><body></body></html>\n',
  'assets/app-1a2b3c4d.js': script,
  'assets/app-1a2b3c4d.js.br': brotliCompressSync(script),
  'assets/app-1a2b3c4d.js.gz': gzipSync(script),
  'assets/style-5e6f7a8b.css': 'body { margin: 0 }\n',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  '.hidden': 'hidden\n',
  '../secret.txt': 'beside the console\n',
};

/** Writes it to a folder. */
export function makeConsole(folder: string): void {
  const time = new Date('2024-01-02T03:04:05Z');
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, time, time);
  }
}
