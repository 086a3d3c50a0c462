import classes from '../inputs/fields.module.css';

/**
 * The help text of a config field. Servers send simple HTML in it (`<br>`, `<pre>`); it is never put into the page as
 * HTML: only its text is taken, with the line breaks.
 */
export function Description({ text }: { text: string | undefined }) {
  const plain = textOfHtml(text ?? '');
  return plain === '' ? null : <span className={classes.description}>{plain}</span>;
}

/** The text of a piece of HTML; `<br>` and the edges of blocks become line breaks. */
export function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html.trim();
  const spaced = html.replace(/<br\s*\/?>|<\/(?:p|pre|li|div)>|<(?:pre|ul|ol)[^>]*>/gi, '\n');
  // A parsed document is inert: nothing in it runs or loads.
  const plainText = new DOMParser().parseFromString(spaced, 'text/html').body.textContent ?? '';
  return plainText.replace(/\n{3,}/g, '\n\n').trim();
}
