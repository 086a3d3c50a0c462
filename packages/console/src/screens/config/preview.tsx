import { useMemo } from 'react';
import { nonce } from '../../theme/nonce.ts';
import classes from './config.module.css';

/**
 * The HTML of a mail, drawn apart from the page: the frame has no permission at all, so nothing in it runs, opens or is
 * sent, and the page's own policy keeps it from loading anything from elsewhere.
 */
export function Preview({ html, label }: { html: string; label: string }) {
  const page = useMemo(() => previewDocument(html), [html]);
  return <iframe title={label} sandbox="" srcDoc={page} className={classes.preview} />;
}

/** The mail as a document. Its style sheets get the page's nonce, without which they would not count here. */
export function previewDocument(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const style of parsed.querySelectorAll('style')) style.setAttribute('nonce', nonce());
  // A refresh would leave the mail.
  for (const meta of parsed.querySelectorAll('meta[http-equiv]')) meta.remove();
  return `<!doctype html>${parsed.documentElement.outerHTML}`;
}
