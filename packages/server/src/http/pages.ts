// The console's files, and the answer at every other address: a page of the console for browsers, an envelope for clients.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import staticFiles from '@fastify/static';
import { type ConsoleSettings, fail, type MaybePromise, reservedAddresses } from '@sluice/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loggedPath } from '../call/address.ts';
import type { Platform } from '../gateway/platform.ts';
import { chatOf, codeHostOf, feedOf, type Settings } from '../settings/index.ts';
import { createPageDrawer, type DrawnPage } from './ahead/page-drawer.ts';
import { sectionOf, seemsSignedIn } from './ahead/page-request.ts';
import { createSignInDrawer } from './ahead/sign-in-page.ts';
import { sendFailure } from './failure.ts';
import { sendPublicFile } from './public-files.ts';
import { sendRaw } from './send.ts';
import { consoleSettings } from './status.ts';

/** Pages that a page of this address may show in a frame: the file manager and the API docs, which clients embed (FIL-001, DOC-001). */
const framedSections: ReadonlySet<string> = new Set(['/file-manager', '/filemanager', '/df-api-docs-ui']);

/**
 * Scripts only from here; style elements only with the page's nonce, style attributes freely, since the widgets size
 * themselves by them. Media and documents of a preview come from memory, with a type that the console has chosen.
 */
const contentSecurityPolicy = (nonce: string, isFramed: boolean, { chat, feed, codeHost }: OutsideOrigins) =>
  [
    "default-src 'self'",
    `script-src 'self'${chat}`,
    `style-src 'self' 'nonce-${nonce}'${chat}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${chat}`,
    `media-src 'self' blob:${chat}`,
    `frame-src 'self' blob:${chat}`,
    `font-src 'self'${chat}`,
    `connect-src 'self'${chat}${feed}${codeHost}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
  ].join('; ');

/** What the pages may load from besides here, as a part of a directive; empty unless an operator set it. */
interface OutsideOrigins {
  chat: string;
  feed: string;
  codeHost: string;
}

function outsideOrigins(settings: Settings): OutsideOrigins {
  const part = (origins: string[]) => origins.map((origin) => ` ${origin}`).join('');
  const originOf = (address: string | undefined) => (address === undefined ? [] : [new URL(address).origin]);
  return {
    chat: part(chatOf(settings)?.origins ?? []),
    feed: part(originOf(feedOf(settings))),
    codeHost: part(originOf(codeHostOf(settings))),
  };
}

const fileHeaders = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

/** The places in the built page that each answer fills. */
const placeholder = /__CSP_NONCE__|"__SETTINGS__"|<!-- drawn -->|<!-- preload -->|<!-- ahead -->/g;
/** Beside the built page: the files of each page of the console, by the first segment of its address. */
const preloadFile = '.preload.json';

/** Serves the built console from `settings.consoleFolder`; without one only the API answers. */
export async function addPages(server: FastifyInstance, platform: Platform): Promise<void> {
  const { settings, log } = platform;
  const root = resolve(settings.consoleFolder);
  const isBuilt = settings.consoleFolder !== '' && existsSync(join(root, 'index.html'));
  if (!isBuilt && settings.consoleFolder !== '')
    log.warn({ folder: root }, 'The console is not built; only the API answers.');
  const page = isBuilt ? createPageSender(root, platform, server) : undefined;
  if (page) {
    await server.register(staticFiles, {
      root,
      prefix: '/',
      preCompressed: true,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (reply, path) => {
        for (const [name, value] of Object.entries(fileHeaders)) reply.header(name, value);
        reply.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    for (const url of ['/', '/index.html']) server.route({ method: ['GET', 'HEAD'], url, handler: page });
  }
  server.setNotFoundHandler(async (request, reply) => {
    if (!isReserved(request) && (await sendPublicFile(request, reply, platform))) return reply;
    await sendNotFound(request, reply, page);
    return reply;
  });
}

/** Whether an address is one of the console or of the API, which no service takes the place of. */
const isReserved = ({ raw }: FastifyRequest): boolean =>
  reservedAddresses.has((loggedPath(raw.url).split('/')[1] ?? '').toLowerCase());

type PageSender = (request: FastifyRequest, reply: FastifyReply) => MaybePromise<unknown>;

function createPageSender(root: string, platform: Platform, server: FastifyInstance): PageSender {
  const html = readFileSync(join(root, 'index.html'), 'utf8');
  const program = programScript.exec(html)?.[1] ?? '';
  const preloads = readPreloads(join(root, preloadFile));
  const drawSignIn = createSignInDrawer(root, platform);
  const drawer = createPageDrawer(root, server);
  const outside = outsideOrigins(platform.settings);
  return async (request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    const settings = await readSettings(platform);
    const isReady = settings !== null && !settings.setup_needed;
    const isDrawn = isReady && drawer.mayDraw(request);
    const contents = new Map([
      ['__CSP_NONCE__', nonce],
      ['"__SETTINGS__"', scriptText(settings)],
      ['<!-- drawn -->', isDrawn ? `<meta name="sluice-drawn" content="${program}" />` : ''],
      ['<!-- preload -->', preloadLinks(preloads, request)],
      ['<!-- ahead -->', isReady && !isDrawn ? await drawSignIn(request, nonce) : ''],
    ]);
    const fill = (part: string) => part.replaceAll(placeholder, (place) => contents.get(place) as string);
    const isFramed = framedSections.has(sectionOf(request));
    reply
      .headers({ ...fileHeaders, 'Content-Security-Policy': contentSecurityPolicy(nonce, isFramed, outside) })
      .header('X-Frame-Options', isFramed ? 'SAMEORIGIN' : 'DENY')
      .header('Cache-Control', 'no-store');
    const type = 'text/html; charset=utf-8';
    if (!isDrawn) return sendRaw(request, reply, { text: fill(html), type }, platform);
    const drawing = drawer.draw(request, { nonce, settings: JSON.stringify(settings) });
    const [head, rest] = html.split('<!-- ahead -->') as [string, string];
    const send = async function* () {
      // The browser loads what the head names while the page is drawn.
      yield loadOnly(fill(head));
      yield pageAhead(await drawing) + fill(rest);
    };
    await sendRaw(request, reply, { open: () => Readable.from(send()), type }, platform);
    // Fastify takes nothing for an empty answer.
    return reply;
  };
}

const programScript = /<script type="module" crossorigin src="([^"]+)"><\/script>/;

/** A head whose scripts are loaded, but neither compiled nor run: the page is drawn first (console/public/first.js). */
const loadOnly = (head: string): string =>
  head
    .replace(programScript, '<link rel="preload" as="script" crossorigin href="$1">')
    .replaceAll('rel="modulepreload"', 'rel="preload" as="script"');

/** A drawn page as it stands in the answer, with what its calls were answered. */
const pageAhead = (drawn: DrawnPage | undefined): string =>
  drawn
    ? `<div data-ahead>${drawn.page}</div><script type="application/json" id="first-answers">${scriptText(drawn.answers)}</script>`
    : '';

/** JSON as the text of an element that it does not end. */
const scriptText = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** What `/console.json` answers; the console asks for it when the store cannot tell. */
async function readSettings(platform: Platform): Promise<ConsoleSettings | null> {
  try {
    return await consoleSettings(platform);
  } catch (error) {
    platform.log.warn({ err: error }, 'The page goes out without its settings.');
    return null;
  }
}

type Preloads = ReadonlyMap<string, readonly string[]>;

const readPreloads = (file: string): Preloads =>
  new Map(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : []);

/** Links to the files that a person who is signed in needs beside the start. */
function preloadLinks(preloads: Preloads, request: FastifyRequest): string {
  if (!seemsSignedIn(request)) return '';
  return (preloads.get(sectionOf(request)) ?? preloads.get('/home') ?? [])
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    )
    .join('\n    ');
}

function sendNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageSender | undefined,
): MaybePromise<unknown> {
  const path = loggedPath(request.raw.url);
  if (path === '/api' || path.startsWith('/api/')) {
    const [service = '', ...rest] = path.replace(/^\/api\/(v[0-9.]+\/?)?/, '').split('/');
    return sendFailure(
      request,
      reply,
      fail('http.verbNotSupported', { verb: request.method, path: rest.join('/'), service }),
    );
  }
  const wantsPage = /^(GET|HEAD)$/.test(request.method) && /text\/html/.test(request.headers.accept ?? '');
  if (page && wantsPage && !path.startsWith('/assets/')) return page(request, reply);
  return sendFailure(request, reply, fail('http.pageNotFound', { path }));
}
