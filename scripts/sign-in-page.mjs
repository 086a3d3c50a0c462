// Run by the build: writes what console/src/app/sign-in-page.tsx draws, built for Node, to a file.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , program, file] = process.argv;

// What the console asks of a browser while it draws.
globalThis.localStorage = { getItem: () => null, setItem() {} };
globalThis.document = { documentElement: {} };
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'], language: 'en' } });

const { renderSignInPages } = await import(pathToFileURL(program));
writeFileSync(file, JSON.stringify(await renderSignInPages()));
// It listens to other tabs, without end.
process.exit();
