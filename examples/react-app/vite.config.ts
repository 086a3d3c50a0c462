import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The page and the API have one address: the browser asks for no permission, and the token stays where it belongs.
export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': process.env.SLUICE ?? 'http://127.0.0.1:8080' } },
});
