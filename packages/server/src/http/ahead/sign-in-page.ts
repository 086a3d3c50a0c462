// The sign-in page as the console's build has drawn it, inside of the page that is sent: it is there with the first frame.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Platform } from '../../gateway/platform.ts';
import { describeAuthentication } from '../../resources/environment/index.ts';
import { sectionOf, seemsSignedIn } from './page-request.ts';

/** What the build leaves beside the page (console/src/app/sign-in-page.tsx). */
interface SignInPages {
  /** Stands in the pages where the host of the request belongs. */
  host: string;
  /** By language. */
  pages: Record<string, string>;
  /** First segments of addresses that lead elsewhere without a session. */
  except: string[];
}

const signInFile = '.sign-in.json';
/** A sign-in that comes back from elsewhere shows something else. */
const returning = /[?&](session_token|code|error|oauth_token)=/;

/**
 * Draws the page for requests that lead to a plain form of e-mail and password. The console draws whatever else there is to
 * choose from.
 */
export function createSignInDrawer(
  root: string,
  { store, settings, services }: Platform,
): (request: FastifyRequest, nonce: string) => Promise<string> {
  const file = join(root, signInFile);
  if (!existsSync(file)) return async () => '';
  const { host, pages, except }: SignInPages = JSON.parse(readFileSync(file, 'utf8'));
  const filled = new RegExp(`__CSP_NONCE__|${host.replaceAll('.', '\\.')}`, 'g');
  const isPlain = async () => {
    const authentication = await describeAuthentication({ store, settings, types: () => services.types });
    const { oauth, adldap, saml, login_attribute, allow_forever_sessions } = authentication;
    return oauth.length + adldap.length + saml.length === 0 && login_attribute === 'email' && !allow_forever_sessions;
  };
  return async (request, nonce) => {
    if (seemsSignedIn(request) || except.includes(sectionOf(request)) || returning.test(request.raw.url ?? ''))
      return '';
    const page = pages[languageOf(request.headers['accept-language'] ?? '', Object.keys(pages))];
    if (page === undefined || !(await isPlain())) return '';
    const shownHost = escapeHtml(request.host);
    return `<div data-ahead>${page.replaceAll(filled, (place) => (place === host ? shownHost : nonce))}</div>`;
  };
}

/** The first language of the browser's that there is, as the console chooses it; else English. */
const languageOf = (accepted: string, known: string[]): string =>
  accepted
    .split(',')
    .map((tag) => tag.trim().split(/[-;]/)[0]?.toLowerCase() ?? '')
    .find((code) => known.includes(code)) ?? 'en';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
