import { expect, test } from 'vitest';
import { readAddresses } from './address.ts';
import { createFiller } from './placeholders.ts';
import { textOfHtml } from './plain-text.ts';
import { renderTemplate } from './render.ts';

test.each([
  ['<p>a</p><p>b<br>c</p>', 'a\n\nb\nc'],
  ['a\n  b\t&nbsp;c &amp;lt; &#228;&#x1F600; &unknown; &', 'a b c &lt; ä😀 &unknown; &'],
  ['<head><title>t</title></head><style>p{}</style>x<!-- hidden -->y<script>z', 'xy'],
  [
    '<a href="https://x.example/">https://x.example/</a> <A HREF=\'mailto:a@b.c\'>write</A>',
    'https://x.example/ write (a@b.c)',
  ],
  ['<a href="javascript:x">no</a> <a href="#top">up</a>', 'no up'],
  ['1 < 2 and 3 > 2 <', '1 < 2 and 3 > 2 <'],
  ['<table><tr><td>a</td><td>b</td></tr></table>', 'a b'],
  ['', ''],
])('the text of %j', (html, text) => expect(textOfHtml(html)).toBe(text));

test('abuse: the text of a malformed HTML takes as long as its length', () => {
  const megabyte = (piece: string) => piece.repeat(Math.ceil(1_000_000 / piece.length));
  const nasty = [
    '<',
    '<a href=',
    '<a href="x">',
    '</a>',
    '<!--',
    '<style>',
    '&#',
    '&amp',
    '<p',
    ' \n',
    '<a href="http://x">y</a>',
  ];
  for (const piece of [...nasty, `${megabyte('<a href="http://x">').slice(0, 500_000)}</a>`]) {
    textOfHtml(megabyte(piece));
  }
});

test('abuse: lists of addresses take as long as their length', () => {
  for (const piece of ['"', '",', 'a@', 'a.', '<'])
    expect(() => readAddresses(piece.repeat(1_000_000 / piece.length), String)).toThrow();
});

test.each([
  ['{strtolower(x)}', ' äb cd é '],
  ['{ucfirst(y)} {lcfirst(z)} {ucwords(y)}', 'Äb cd zED Äb Cd'],
  ['{urldecode(q)}|{rawurldecode(q)}', 'a b%ü|a+b%ü'],
  ['{base64_decode(b)} {STRTOUPPER( y )}', 'hä ÄB CD'],
  ['{ y } {{y}} {y {z}', 'äb cd {äb cd} {y ZED'],
  [
    '{trim(trim(x))} {trim()} {constructor} {trim(toString)}',
    '{trim(trim(x))} {trim()} {constructor} {trim(toString)}',
  ],
])('placeholders of %s', (text, filled) => {
  const values = new Map(Object.entries({ x: ' Äb Cd é ', y: 'äb cd', z: 'ZED', q: 'a+b%25%C3%BC', b: 'aMOk' }));
  expect(createFiller((name) => values.get(name))(text)).toBe(filled);
});

test('a mail of the platform shows what people wrote, and reads none of it', () => {
  const template = {
    ...{ subject: 'For {name}', body_html: '<p>{name}</p><a href="{link}">Go</a>', body_text: null },
    ...{ from_name: 'Sluice', from_email: 'no-reply@example.com', defaults: null },
  };
  const values = { to: 'jo@example.com', name: '<img src=x> & "Jo"', link: 'https://x.example/?a=1&b=2' };
  expect(renderTemplate(template, values)).toMatchObject({
    subject: 'For <img src=x> & "Jo"',
    html: '<p>&#60;img src=x&#62; &#38; &#34;Jo&#34;</p><a href="https://x.example/?a=1&#38;b=2">Go</a>',
    text: '<img src=x> & "Jo"\nGo (https://x.example/?a=1&b=2)',
    to: [{ address: 'jo@example.com' }],
    from: { name: 'Sluice', address: 'no-reply@example.com' },
  });
});
