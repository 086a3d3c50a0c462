// The bare page that the console is measured beside: the bytes a page of the console loaded, in the fewest files, and the
// same calls of the API, made at once. Its script is parsed but not run, then plain rows are drawn of the answers.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { transform } from 'esbuild';

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];

/**
 * Writes the page `<name>.html` into the folder of a console. `loaded` is what the console loaded: scripts and styles as
 * texts, fonts as `{ url, body }`, calls as `{ url, headers }`; `draw` is a function, run in the page on their answers.
 */
export async function writeBarePage(folder, name, loaded, draw) {
  const assets = join(folder, 'assets');
  mkdirSync(assets, { recursive: true });
  const write = async (file, text) => {
    writeFileSync(join(assets, file), text);
    writeFileSync(join(assets, `${file}.br`), await brotli(text));
    writeFileSync(join(assets, `${file}.gz`), await gzip(text, { level: 9 }));
  };
  const fonts = loaded.fonts.map(({ url, body }) => {
    const file = url.split('/').pop();
    writeFileSync(join(assets, file), body);
    return file;
  });
  await write(`${name}-data.js`, dataScript(loaded.calls));
  await write(`${name}.css`, loaded.styles.join('\n'));
  await write(`${name}.js`, `${(await Promise.all(loaded.scripts.map(unrun))).join('\n')}\ndata.then(${draw});`);
  // The server takes a folder for a console by its index.html.
  for (const file of [`${name}.html`, 'index.html']) writeFileSync(join(folder, file), pageOf(name, fonts));
}

const pageOf = (name, fonts) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Bare</title>
<script src="/assets/${name}-data.js"></script>
<link rel="stylesheet" href="/assets/${name}.css">
${fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${file}">`).join('\n')}
<script src="/assets/${name}.js" defer></script>
</head><body><div id="root"></div></body></html>`;

const dataScript = (calls) => `const calls = ${JSON.stringify(calls)};
const data = Promise.all(calls.map(async ({ url, headers }) => (await fetch(url, { headers })).json()));`;

/** The text of a module as a function that is never called. */
async function unrun(text, index) {
  const { code } = await transform(text, {
    format: 'cjs',
    minify: true,
    logLevel: 'silent',
  });
  return `async function unrun${index}(require, module, exports) {${code}}`;
}
