import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const server = process.env.SLUICE_DEV_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist', sourcemap: false, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/api': server, '/console.json': server } },
  test: {
    name: 'console',
    environment: 'jsdom',
    // npm run quick leaves out what draws pages.
    include: [process.env.SLUICE_QUICK ? 'src/**/*.test.ts' : 'src/**/*.test.{ts,tsx}'],
    // Files share a page, which is cleared behind each test: making one and reading all the parts again costs more than they do.
    isolate: false,
    setupFiles: ['src/test-setup.ts'],
    testTimeout: 20_000,
  },
});
