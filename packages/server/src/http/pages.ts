// The console's files, and the answer at every other address: a page of the console for browsers, an envelope for clients.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import staticFiles from '@fastify/static';
import { type ConsoleSettings, fail, type MaybePromise } from '@sluice/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loggedPath } from '../call/address.ts';
import type { Platform } from '../gateway/platform.ts';
import { sendFailure } from './failure.ts';
import { sectionOf, seemsSignedIn } from './page-request.ts';
import { sendRaw } from './send.ts';
import { createSignInDrawer } from './sign-in-page.ts';
import { consoleSettings } from './status.ts';

/**
 * Scripts only from here; style elements only with the page's nonce, style attributes freely, since the widgets size
 * themselves by them.
 */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const fileHeaders = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

/** The places in the built page that each answer fills. */
const placeholder = /__CSP_NONCE__|"__SETTINGS__"|<!-- preload -->|<!-- sign-in -->/g;
/** Beside the built page: the files of each page of the console, by the first segment of its address. */
const preloadFile = '.preload.json';

/** Serves the built console from `settings.consoleFolder`; without one only the API answers. */
export async function addPages(server: FastifyInstance, platform: Platform): Promise<void> {
  const { settings, log } = platform;
  const root = resolve(settings.consoleFolder);
  const isBuilt = settings.consoleFolder !== '' && existsSync(join(root, 'index.html'));
  if (!isBuilt && settings.consoleFolder !== '')
    log.warn({ folder: root }, 'The console is not built; only the API answers.');
  const page = isBuilt ? createPageSender(root, platform) : undefined;
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
  server.setNotFoundHandler((request, reply) => sendNotFound(request, reply, page));
}

type PageSender = (request: FastifyRequest, reply: FastifyReply) => MaybePromise<unknown>;

function createPageSender(root: string, platform: Platform): PageSender {
  const html = readFileSync(join(root, 'index.html'), 'utf8');
  const preloads = readPreloads(join(root, preloadFile));
  const drawSignIn = createSignInDrawer(root, platform);
  return async (request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    const settings = await readSettings(platform);
    const contents = new Map([
      ['__CSP_NONCE__', nonce],
      ['"__SETTINGS__"', JSON.stringify(settings).replaceAll('<', '\\u003c')],
      ['<!-- preload -->', preloadLinks(preloads, request)],
      ['<!-- sign-in -->', settings && !settings.setup_needed ? await drawSignIn(request, nonce) : ''],
    ]);
    reply
      .headers({ ...fileHeaders, 'Content-Security-Policy': contentSecurityPolicy(nonce), 'X-Frame-Options': 'DENY' })
      .header('Cache-Control', 'no-store');
    const text = html.replaceAll(placeholder, (place) => contents.get(place) as string);
    return sendRaw(request, reply, { text, type: 'text/html; charset=utf-8' }, platform);
  };
}

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
