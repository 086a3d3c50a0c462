import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const server = process.env.SLUICE_DEV_SERVER ?? 'http://127.0.0.1:8080';

/** What loads parts of the console: pages and pieces that are fetched when they are first needed, by the module they begin with. */
type Modules = { getModuleInfo: (id: string) => { importers: string[]; dynamicImporters: string[] } | null };

const isScreen = (id: string) => /\/src\/screens\/[\w-]+\/index\.tsx$/.test(id);
/** Every page in the frame needs it, and Home is the page one comes to. */
const isFirst = (id: string) => /\/src\/(frame\/frame|screens\/home\/index)\.tsx$/.test(id);

/** The parts that need a module from their beginning: all whose imports lead to it, those made on demand not counted. */
const partsThatNeed = (id: string, modules: Modules): string[] => {
  const [seen, parts] = [new Set([id]), new Set<string>()];
  for (const module of seen) {
    const info = modules.getModuleInfo(module);
    if (info?.dynamicImporters.length) parts.add(module);
    for (const importer of info?.importers ?? []) seen.add(importer);
  }
  return [...parts];
};

/** The file of a module that parts share: with the frame, with what screens begin with, or with what they come to need. */
const sharedFile = (id: string, modules: Modules): string | null => {
  const parts = partsThatNeed(id, modules);
  if (parts.length < 2) return null;
  if (parts.some(isFirst)) return 'frame';
  return parts.filter(isScreen).length > 1 ? 'screens' : 'parts';
};

/**
 * Few files, so that few are asked for: what the sign-in page needs, what the pages behind it share, and a file for each
 * screen. Modules go to the first group that takes them.
 */
const chunks = [
  { name: 'start-libraries', test: /[\\/]node_modules[\\/]/, tags: ['$initial' as const] },
  { name: 'start', tags: ['$initial' as const] },
  {
    name: 'code-mirror',
    test: /[\\/]node_modules[\\/](@codemirror|@lezer|codemirror)[\\/](?!lang-)/,
    minShareCount: 2,
  },
  {
    name: sharedFile,
    debugName: 'shared',
    test: /^(?!.*(codemirror|code-mirror|@lezer))/,
    includeDependenciesRecursively: false,
  },
];

/** The font's first subset is asked for with the page, not when the style sheet is read; its licence goes along. */
const font: Plugin = {
  name: 'font',
  generateBundle() {
    const source = readFileSync(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE')));
    this.emitFile({ type: 'asset', fileName: 'assets/inter-license.txt', source });
  },
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` };
      return file ? [{ tag: 'link', attrs, injectTo: 'head-prepend' }] : [];
    },
  },
};

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [react(), font],
  build: {
    outDir: 'dist',
    copyPublicDir: !isSsrBuild,
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: chunks } } },
  },
  // What the server runs needs nothing beside it.
  ssr: { noExternal: true },
  server: { proxy: { '/api': server, '/console.json': server } },
  test: {
    name: 'console',
    environment: 'jsdom',
    // npm run quick leaves out what draws pages.
    include: [process.env.SLUICE_QUICK ? 'src/**/*.test.ts' : 'src/**/*.test.{ts,tsx}'],
    // Files share a page, which is cleared behind each test: making one and reading all the parts again costs more than they do.
    isolate: false,
    setupFiles: ['src/test-setup.ts'],
    testTimeout: 60_000,
  },
}));
