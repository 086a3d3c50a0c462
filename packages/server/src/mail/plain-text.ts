// The text of an HTML body, for mails that have no other: without tags, styles and scripts, with the addresses of its links.

const named = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    copy: '©',
    reg: '®',
    euro: '€',
  }).concat(
    Object.entries({ ndash: '–', mdash: '—', hellip: '…', laquo: '«', raquo: '»', bdquo: '„', ldquo: '“', rdquo: '”' }),
    Object.entries({ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' }),
  ),
);

/** Decodes entities once; an unknown one stays. */
const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Elements whose content nobody reads. */
const unread = new Set(['style', 'script', 'head', 'title', 'template', 'noscript']);
/** Elements that begin a line of their own. */
const blocks = new Set(
  'p div br tr li ul ol table h1 h2 h3 h4 h5 h6 section article header footer blockquote pre hr'.split(' '),
);

/** Characters of a tag that are looked at. */
const maxTag = 4_000;

/** Characters of an HTML that are read for its text. */
const maxHtml = 256 * 1024;

/** Reads the HTML once, forwards, however malformed it is. */
export function textOfHtml(whole: string): string {
  const html = whole.slice(0, maxHtml);
  const pieces: string[] = [];
  // Links do not nest: the text of one is looked at once.
  let link: { href: string; start: number } | undefined;
  let at = 0;
  // Of ASCII alone: other letters may become two.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const tagStart = /<(?=[a-z/!])/gi;
  while (at < html.length) {
    tagStart.lastIndex = at;
    const open = tagStart.exec(html)?.index ?? -1;
    if (open < 0) break;
    pieces.push(readable(html.slice(at, open)));
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const [, slash = '', name = ''] = /^<(\/?)([a-z][a-z0-9]*)/.exec(lower.slice(open, open + 40)) ?? [];
    const close = html.indexOf('>', open);
    // A tag without an end is text.
    if (close < 0) {
      at = open;
      break;
    }
    at = close + 1;
    if (slash === '' && unread.has(name)) {
      const end = lower.indexOf(`</${name}`, at);
      const ending = end < 0 ? -1 : html.indexOf('>', end);
      at = ending < 0 ? html.length : ending + 1;
    } else if (name === 'a') {
      if (link?.href && !pieces.slice(link.start).join('').includes(link.href)) pieces.push(` (${link.href})`);
      link =
        slash === ''
          ? { href: hrefOf(html.slice(open, Math.min(close, open + maxTag))), start: pieces.length }
          : undefined;
    } else if (blocks.has(name)) pieces.push('\n');
    else if (name === 'td' || name === 'th') pieces.push(' ');
  }
  pieces.push(readable(html.slice(at)));
  return pieces
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** In HTML a line break is a blank. */
const readable = (text: string): string => decodeEntities(text.replace(/\s+/g, ' '));

/** The address a link leads to; those that lead nowhere outside of the mail are none. */
function hrefOf(tag: string): string {
  const match = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag);
  const href = decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
  return /^(https?:|mailto:)/i.test(href) ? href.replace(/^mailto:/i, '') : '';
}
