// npm run build: the server's bundle and the console's pages, each only when what it is made of changed (--force: always).
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { filesOfParts, preloadsOf } from './preloads.mjs';
import { root } from './prepare.mjs';
import { run, since, tool } from './run.mjs';

/** Most that the sign-in page may load of compressed script, in bytes. */
const signInBudget = 190 * 1024;

/** Where the server finds which files a page needs, the sign-in page as it is sent, and what draws the others; the web sees none. */
const preloadFile = '.preload.json';
const signInFile = '.sign-in.json';
const pageDrawerFolder = '.page-ahead';

const parts = [
  {
    name: 'server',
    dist: 'packages/server/dist',
    madeOf: ['packages/contract/src', 'packages/sql/src', 'packages/server/src', 'scripts/build.mjs'],
    build: buildServer,
  },
  {
    name: 'console',
    dist: 'packages/console/dist',
    madeOf: [
      'packages/contract/src',
      'packages/client/src',
      'packages/console/src',
      'packages/console/public',
      'packages/console/index.html',
      ...wordsOfServiceTypes(),
      'packages/console/vite.config.ts',
      'package-lock.json',
      'scripts/build.mjs',
      'scripts/preloads.mjs',
      'scripts/sign-in-page.mjs',
    ],
    build: buildConsole,
  },
];

/** What service types say in other languages, in their own folders; the console takes it in. */
function wordsOfServiceTypes() {
  const source = 'packages/server/src';
  return readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
    .map((path) => `${source}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\/words\.\w+\.ts$/.test(path))
    .sort();
}

/** The parts whose last build is missing or was made of something else, with the print of what they are made of now. */
export function staleParts({ force = false } = {}) {
  return parts
    .map((part) => ({ ...part, print: fingerprint(part.madeOf) }))
    .filter(({ dist, print }) => {
      const stamp = join(root, dist, '.made-of');
      return force || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== print;
    });
}

/** Builds `stale` parts, one after the other; throws with the reason when one cannot be built. */
export async function build(stale) {
  for (const part of stale) {
    const from = performance.now();
    console.log(`Building the ${part.name}…`);
    await part.build(join(root, part.dist));
    mkdirSync(join(root, part.dist), { recursive: true });
    // Last, so that a build that was broken off counts as stale.
    writeFileSync(join(root, part.dist, '.made-of'), part.print);
    console.log(`Built the ${part.name} (${since(from)})`);
  }
}

/** A hash of the files' names and contents. Contents, not times: a fresh clone or a switched branch sets times at will. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesOf))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function filesOf(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`))
    .filter((name) => !/\.test\.tsx?$/.test(name));
}

async function buildServer(dist) {
  const { build: bundle } = await import('esbuild');
  const bundling = bundle({
    absWorkingDir: root,
    entryPoints: {
      main: 'packages/server/src/main.ts',
      // SQLite's second lane runs in a process of its own, so it is a file of its own.
      child: 'packages/sql/src/dialects/sqlite/children/child.ts',
      // The process that starts it.
      spawner: 'packages/sql/src/dialects/sqlite/children/spawner.mjs',
      // Large bodies are parsed in a thread.
      parse: 'packages/server/src/http/parsing/worker.ts',
      // SOAP messages are written and read in a thread.
      soap: 'packages/server/src/services/soap/thread/worker.ts',
      // Scripts of v8js run in threads.
      v8js: 'packages/server/src/scripts/engines/v8js/worker.mjs',
    },
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [
      {
        name: 'own packages inside, all others outside',
        setup(it) {
          it.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@sluice/') ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
  await bundling.catch(() => {
    throw new Error('esbuild could not bundle the server; the lines above say why.');
  });
  copyPrograms(dist);
}

/** What runs scripts in processes of their own is read by their interpreters as it is: `{engine}.{ending}` beside the bundle. */
function copyPrograms(dist) {
  const engines = join(root, 'packages/server/src/scripts/engines');
  for (const path of readdirSync(engines, { recursive: true, encoding: 'utf8' })) {
    const [, engine, ending] = /^(\w+)[/\\]program\.(\w+)$/.exec(path) ?? [];
    if (engine) copyFileSync(join(engines, path), join(dist, `${engine}.${ending}`));
  }
}

async function buildConsole(dist) {
  await runVite('--manifest');
  await compress(dist);
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  checkSignInSize(dist, manifest);
  const screenList = readFileSync(join(root, 'packages/console/src/screens/index.ts'), 'utf8');
  writeFileSync(join(dist, preloadFile), JSON.stringify(preloadsOf(manifest, screenList)));
  rmSync(join(dist, '.vite'), { recursive: true });
  await drawSignIn(join(dist, signInFile));
  await runVite('--ssr', 'src/app/ahead/thread.ts', '--outDir', join(dist, pageDrawerFolder));
}

async function runVite(...options) {
  const { code } = await run([...tool('vite'), 'build', '--logLevel', 'warn', ...options], {
    cwd: join(root, 'packages/console'),
  });
  if (code !== 0) throw new Error('vite could not build the console; the lines above say why.');
}

/** Draws the sign-in page in each language by the console's own code, in a process of its own that ends with it. */
async function drawSignIn(file) {
  const folder = join(root, 'packages/console/dist/.sign-in');
  await runVite('--ssr', 'src/app/ahead/sign-in-page.tsx', '--outDir', folder);
  const { code } = await run(
    [process.execPath, join(root, 'scripts/sign-in-page.mjs'), join(folder, 'sign-in-page.js'), file],
    {
      env: { NODE_ENV: 'production' },
    },
  );
  rmSync(folder, { recursive: true });
  if (code !== 0) throw new Error('The sign-in page could not be drawn; the lines above say why.');
}

/** Puts a .br and a .gz beside every text file, so that the server never compresses one. Not the page: it differs by answer. */
async function compress(dist) {
  const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];
  const names = readdirSync(dist, { recursive: true }).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = join(dist, name);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, await brotli(content));
      writeFileSync(`${file}.gz`, await gzip(content, { level: 9 }));
    }),
  );
}

/** Fails when the sign-in page needs more compressed script than its budget: the entry and its static imports. */
function checkSignInSize(dist, manifest) {
  const scripts = [...filesOfParts(manifest, ['index.html'])].filter((file) => file.endsWith('.js'));
  const bytes = scripts.reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0);
  const kilobytes = (size) => `${(size / 1024).toFixed(1)} KB`;
  console.log(`The sign-in page loads ${kilobytes(bytes)} of compressed script (at most ${kilobytes(signInBudget)}).`);
  if (bytes >= signInBudget)
    throw new Error(`That is ${kilobytes(bytes - signInBudget)} too much: ${scripts.join(', ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const stale = staleParts({ force: process.argv.includes('--force') });
  if (stale.length === 0) console.log('Everything is built already (--force builds anew).');
  await build(stale).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
