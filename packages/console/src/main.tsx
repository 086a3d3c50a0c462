import '@mantine/core/styles.layer.css';
import './theme/tokens.css';
import './theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startText } from './text/index.ts';
import { nonce } from './theme/nonce.ts';

declare global {
  var __webpack_nonce__: string | undefined;
}

// The scroll lock behind dialogs looks for its nonce here.
globalThis.__webpack_nonce__ = nonce() || undefined;

await startText();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
