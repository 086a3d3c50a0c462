import '@mantine/core/styles.layer.css';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/global.css';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { keepViewCookie } from './app/ahead/view.ts';
import { App } from './app/app.tsx';
import { preloadBehindSignIn, preloadWhatIsPointedAt } from './app/pages.ts';
import { router } from './app/router.ts';
import { start } from './app/start.tsx';
import { hasPageAhead, keepTyped } from './session/typed-ahead.ts';
import { startText } from './text/index.ts';
import { nonce } from './theme/nonce.ts';
import { motion } from './theme/tokens.ts';

declare global {
  var __webpack_nonce__: string | undefined;
}

// The scroll lock behind dialogs looks for its nonce here.
globalThis.__webpack_nonce__ = nonce() || undefined;

const draw = async () => {
  await startText();
  const starting = start();
  const root = document.getElementById('root')!;
  // Drawn once, with the page itself; what takes longer shows that something is coming, unless a page is there already.
  const stage = await (hasPageAhead(root) ? starting : Promise.race([starting, passed(motion.skeletonDelay)]));
  keepTyped(root);
  // At once, so that no key is lost between the page that came along and this one.
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <App router={router} begun={{ start: starting, stage: stage ?? { name: 'loading' } }} />
      </StrictMode>,
    ),
  );
  preloadWhatIsPointedAt();
  preloadBehindSignIn();
  keepViewCookie();
};
const passed = (milliseconds: number) => new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds));
void draw();
