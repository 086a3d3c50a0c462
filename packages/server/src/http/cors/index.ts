// Calls by pages of other origins (contract/http-basics.md §11): preflights are answered here, calls from origins that no rule
// allows are refused here, and every answer says for which origin it is. Rules are records of system/cors.
import { chain, type MaybePromise } from '@sluice/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../../call/address.ts';
import type { Platform } from '../../gateway/platform.ts';
import { sendFailure } from '../failure.ts';
import { sendWhole, setHeaders } from '../send.ts';
import { type CorsRule, createCorsRules } from './rules.ts';
import { isSameOrigin } from './same-origin.ts';

/** Answers or refuses a request, or calls `done` once its answer will have the headers of its rule. */
export type ApplyCors = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Comes before any other step of a request; a preflight needs no credentials. */
export function createCors(platform: Platform): ApplyCors {
  const rules = createCorsRules(platform.store);
  return (request, reply, done) => {
    const origin = request.headers.origin;
    if (origin !== undefined && isSameOrigin(request, origin, platform.settings)) {
      done();
      return;
    }
    const decide = (rule: CorsRule | undefined) => {
      if (rule) request.corsHeaders = varying;
      if (origin === undefined) done();
      else if (isPreflight(request)) answerPreflight(request, reply, origin, rule);
      else if (!rule?.allowsOrigin(origin)) {
        const settle = (isTaken: boolean) =>
          isTaken ? done() : refuse(request, reply, 403, 'Not allowed in CORS policy.');
        const taking = takesForm(request, platform);
        if (taking instanceof Promise) taking.then(settle, fail);
        else settle(taking);
      } else {
        request.corsHeaders = headersFor(origin, rule);
        done();
      }
    };
    // The answer to a page of this origin is the same whatever the rules are, but for what caches learn of it.
    const fail = (error: unknown) => {
      if (origin === undefined) {
        done();
        return;
      }
      platform.metrics.countFailure(error);
      sendFailure(request, reply, error);
    };
    const finding = rules.find(() => canonicalPath(request));
    if (finding instanceof Promise) finding.then(decide, fail);
    else decide(finding);
  };
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Whether it is a form that a browser goes on with, as any page can have it do, to an operation that takes such. */
function takesForm({ method, headers, raw }: FastifyRequest, { services }: Platform): MaybePromise<boolean> {
  const mode = headers['sec-fetch-mode'];
  if (method !== 'POST' || (mode !== undefined && mode !== 'navigate')) return false;
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')) return false;
  if (!/^\/api(\/|$)/i.test(raw.url ?? '')) return false;
  const { service, path } = addressOf(raw.url ?? '/');
  if (service === '') return false;
  return chain(
    services.find(service),
    (addressed) => addressed?.type?.routes.match(path, 'POST')?.operation.takesForms === true,
  );
}

/** However an address is written, it has the rule of what it leads to: the path without first and last slash, decoded. */
function canonicalPath({ raw: { url = '/' } }: FastifyRequest): string {
  const isApi = /^(https?:\/\/[^/?]*)?\/api(\/|\?|$)/i.test(url);
  const { service, path } = addressOf(isApi ? url : `/page${url}`);
  return `${isApi ? 'api/v2/' : ''}${service}/${path}`.replace(/\/{2,}/g, '/').replace(/^\/|\/$/g, '');
}

/** An address that cannot be read leads nowhere, and has the rule of the address above all. */
function addressOf(url: string): { service: string; path: string } {
  try {
    return parseAddress(url);
  } catch {
    return { service: '', path: '' };
  }
}

/** What caches have to know wherever a rule might have allowed an origin. */
const varying: Readonly<Record<string, string>> = {};

function headersFor(origin: string, rule: CorsRule): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    ...(rule.supportsCredentials ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    ...(rule.exposedHeaders === '' ? {} : { 'Access-Control-Expose-Headers': rule.exposedHeaders }),
  };
}

function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string,
  rule: CorsRule | undefined,
): void {
  request.corsHeaders = varying;
  const { headers } = request;
  const requestedHeaders = String(headers['access-control-request-headers'] ?? '');
  const allowedHeaders = rule?.allowedHeaders(requestedHeaders);
  if (!rule?.allowsOrigin(origin)) refuse(request, reply, 403, 'Origin not allowed');
  else if (!rule.allowsMethod(String(headers['access-control-request-method'])))
    refuse(request, reply, 405, 'Method not allowed');
  else if (allowedHeaders === undefined) refuse(request, reply, 403, 'Header not allowed');
  else {
    const { 'Access-Control-Expose-Headers': _, ...allowed } = headersFor(origin, rule);
    reply.headers({ ...allowed, 'Access-Control-Allow-Methods': rule.methods });
    if (allowedHeaders !== '') reply.header('Access-Control-Allow-Headers', allowedHeaders);
    if (rule.maxAge > 0) reply.header('Access-Control-Max-Age', String(rule.maxAge));
    setHeaders(request, reply);
    reply.status(204).send();
  }
}

function refuse(request: FastifyRequest, reply: FastifyReply, status: number, text: string): void {
  request.corsHeaders = varying;
  setHeaders(request, reply.status(status).header('Cache-Control', 'no-store'));
  sendWhole(request, reply, 'text/plain; charset=utf-8', text);
}
