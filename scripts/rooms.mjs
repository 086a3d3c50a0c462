// npm run rooms: holds the rooms of every package apart. A room is a folder; an import of values leads from it to rooms
// below it only. Imports of types alone are free: they are gone when the code runs. Part of `npm run check`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { root } from './prepare.mjs';

/** What stands directly in `packages/<name>/src`, lowest first: each may import from those before it. Empty: any order. */
const floors = {
  contract: [],
  client: [],
  sql: ['shares', 'convert', 'schema', 'change', 'query', 'filter', 'compile', 'dialects', 'index.ts'],
  server: [
    ...['call', 'resource', 'audit', 'settings', 'log', 'store', 'jobs', 'use', 'limits', 'access', 'records'],
    ...[
      'service',
      'openapi',
      'fetch',
      'storage',
      'archive',
      'repositories',
      'caches',
      'directories',
      'mail',
      'database',
      'identity',
      'events',
      'scripts',
      'gateway',
      'mcp',
      'messages',
      'push',
      'graphql',
      'resources',
    ],
    ...['services', 'metrics', 'app.ts', 'http', 'main.ts'],
  ],
  console: [
    ...['text', 'theme', 'ui', 'api', 'session', 'unsaved', 'frame', 'list', 'editor', 'fields', 'explain', 'database'],
    ...['files', 'packages', 'calls', 'screens', 'app', 'main.tsx'],
  ],
  testkit: [],
};

/** Rooms whose folders are told apart by a list: none of these imports another, but for what they share. */
const registries = [
  { folder: 'screens', shared: [] },
  { folder: 'services', shared: ['engines'] },
];

/**
 * The imports of values between the files of a package, paths below its `src`. Tests and what only tests use are left out.
 * @returns {Promise<[from: string, to: string][]>}
 */
export async function readImports(name) {
  const source = `packages/${name}/src`;
  const files = readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|fixture)\.tsx?$|(^|\/)fixture\/|test-setup/.test(path));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files.map((path) => `${source}/${path}`),
    outdir: 'unwritten',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    jsx: 'automatic',
    loader: { '.css': 'empty', '.svg': 'empty', '.woff2': 'empty' },
    logLevel: 'error',
  });
  const below = (path) => (path.startsWith(`${source}/`) ? path.slice(source.length + 1) : undefined);
  return Object.entries(metafile.inputs).flatMap(([path, { imports }]) =>
    imports
      .filter(({ external }) => !external)
      .map(({ path: target }) => [below(path), below(target)])
      .filter((pair) => pair.every((end) => end !== undefined && /\.tsx?$/.test(end))),
  );
}

/**
 * Circles between what stands in one folder (rooms and files alike, an import inside a room counting for the room), in
 * whichever folder; a circle between files is one in the folder that holds both. One text for each, with its imports.
 * @param {[from: string, to: string][]} imports
 */
export function findCircles(imports) {
  const byFolder = new Map();
  for (const [from, to] of imports) {
    const [a, b] = [from.split('/'), to.split('/')];
    let depth = 0;
    while (a[depth] === b[depth] && depth < a.length - 1) depth += 1;
    const folder = a.slice(0, depth).join('/');
    const edges = byFolder.get(folder) ?? new Map();
    const targets = edges.get(a[depth]) ?? new Map();
    byFolder.set(folder, edges.set(a[depth], targets.set(b[depth], `${from} → ${to}`)));
  }
  return [...byFolder].flatMap(([folder, edges]) =>
    circlesOf(edges).map((members) => {
      const between = members.flatMap((member) =>
        [...edges.get(member)].filter(([target]) => members.includes(target)).map(([, example]) => `    ${example}`),
      );
      return [`  ${folder || 'src'}: ${members.join(', ')} import each other`, ...between].join('\n');
    }),
  );
}

/** The groups whose members reach each other, by Tarjan's algorithm. */
function circlesOf(edges) {
  const [index, low, stack, groups] = [new Map(), new Map(), [], []];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const target of edges.get(node)?.keys() ?? []) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(node, Math.min(low.get(node), low.get(target)));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1 || edges.get(node)?.has(node)) groups.push(group);
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return groups;
}

/**
 * Imports that lead upwards, and rooms that are not in the order.
 * @param {[from: string, to: string][]} imports
 * @param {string[]} floor
 */
export function findClimbs(imports, floor) {
  const roomOf = (path) => path.split('/')[0];
  const unlisted = [...new Set(imports.flat().map(roomOf))].filter((room) => !floor.includes(room));
  const climbs = imports.filter(
    ([from, to]) => floor.includes(roomOf(from)) && floor.indexOf(roomOf(to)) > floor.indexOf(roomOf(from)),
  );
  return [
    ...unlisted.map((room) => `  ${room} is not in the order of scripts/rooms.mjs`),
    ...climbs.map(([from, to]) => `  ${from} imports ${to}, which is above it`),
  ];
}

/**
 * Imports between two entries of a registry: a screen from a screen, a service type from a service type.
 * @param {[from: string, to: string][]} imports
 */
export function findSiblings(imports) {
  return imports.flatMap(([from, to]) => {
    const [a, b] = [from.split('/'), to.split('/')];
    const registry = registries.find(({ folder }) => folder === a[0] && folder === b[0]);
    const isInside = registry && a.length > 2 && b.length > 2 && a[1] !== b[1];
    return isInside && !registry.shared.includes(b[1])
      ? [`  ${from} imports ${to}: ${a[0]} do not import ${a[0]}`]
      : [];
  });
}

/**
 * Imports of files `words.<language>.ts`, which the console takes in when it is built: they are data, so they import
 * nothing but each other.
 * @param {[from: string, to: string][]} imports
 */
export function findWordImports(imports) {
  const isWords = (path) => /(^|\/)words\.\w+\.ts$/.test(path);
  return imports
    .filter(([from, to]) => isWords(from) && !isWords(to))
    .map(([from, to]) => `  ${from} imports ${to}: the console takes it in, so it imports other words only`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let found = 0;
  for (const [name, floor] of Object.entries(floors)) {
    if (!existsSync(join(root, 'packages', name))) continue;
    const imports = await readImports(name);
    const climbs = floor.length > 0 ? findClimbs(imports, floor) : [];
    const faults = [...findCircles(imports), ...climbs, ...findSiblings(imports), ...findWordImports(imports)];
    found += faults.length;
    if (faults.length > 0) console.error(`packages/${name}/src:\n${faults.join('\n')}`);
  }
  console.log(found === 0 ? 'Rooms: no circle, no import upwards.' : `Rooms: ${found} faults.`);
  process.exitCode = found === 0 ? 0 : 1;
}
