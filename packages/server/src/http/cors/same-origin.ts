import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../settings/index.ts';
import { isForApps } from '../apps-address.ts';

type OwnUrls = Pick<Settings, 'publicUrl' | 'appsUrl'>;

/**
 * Whether a page of this very address sends a request. A browser that says so itself is believed: no page can make it say so,
 * and behind a proxy with TLS that is not trusted, the console would else be refused.
 */
export function isSameOrigin(request: FastifyRequest, origin: string, settings: OwnUrls): boolean {
  if (request.headers['sec-fetch-site'] === 'same-origin') return true;
  return origin.toLowerCase() === ownOrigin(request, settings);
}

/** Hosted apps call the API at their own address. */
function ownOrigin(request: FastifyRequest, { publicUrl, appsUrl }: OwnUrls): string {
  const url = isForApps(request) ? appsUrl : publicUrl;
  return originOf(url || `${request.protocol}://${request.host}`);
}

/** As browsers write it: in lower case, without the port that the scheme has anyway. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');
