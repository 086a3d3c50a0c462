// Run by the build: writes what console/src/app/ahead/sign-in-page.tsx draws, built for Node, to a file.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , program, file] = process.argv;

const { renderSignInPages } = await import(pathToFileURL(program));
writeFileSync(file, JSON.stringify(await renderSignInPages()));
// React's scheduler keeps a port open, without end.
process.exit();
