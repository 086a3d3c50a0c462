// The console's files, and the answer at every other address: a page of the console for browsers, an envelope for clients.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import staticFiles from '@fastify/static';
import { fail, type MaybePromise } from '@sluice/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loggedPath } from '../call/address.ts';
import type { Platform } from '../gateway/platform.ts';
import { sendFailure } from './failure.ts';
import { sendRaw } from './send.ts';

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

/** The place in the built page where each answer puts its own nonce. */
const noncePlaceholder = '__CSP_NONCE__';

/** Serves the built console from `settings.consoleFolder`; without one only the API answers. */
export async function addPages(server: FastifyInstance, platform: Platform): Promise<void> {
  const { settings, log } = platform;
  const root = resolve(settings.consoleFolder);
  const isBuilt = settings.consoleFolder !== '' && existsSync(join(root, 'index.html'));
  if (!isBuilt && settings.consoleFolder !== '')
    log.warn({ folder: root }, 'The console is not built; only the API answers.');
  const page = isBuilt ? createPageSender(readFileSync(join(root, 'index.html'), 'utf8'), platform) : undefined;
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

function createPageSender(html: string, platform: Platform): PageSender {
  const parts = html.split(noncePlaceholder);
  return (request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    reply
      .headers({ ...fileHeaders, 'Content-Security-Policy': contentSecurityPolicy(nonce), 'X-Frame-Options': 'DENY' })
      .header('Cache-Control', 'no-store');
    return sendRaw(request, reply, { text: parts.join(nonce), type: 'text/html; charset=utf-8' }, platform);
  };
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
