// Files that everybody may read: `GET /{service}/{path}` beside the API (contract/files.md §7). The console's own addresses
// come first; errors are plain text.
import { Failure, fail } from '@sluice/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAddress } from '../call/address.ts';
import type { Platform } from '../gateway/platform.ts';
import { findFile, openFile, openStorage, parsePath } from '../storage/index.ts';
import { appAddressOf, isForApps } from './apps-address.ts';
import { sendRaw, sendWhole, setHeaders } from './send.ts';

/**
 * Answers the file of a public path; false where the address names no file service, and is for others to answer: strangers do
 * not learn which other services there are.
 */
export async function sendPublicFile(
  request: FastifyRequest,
  reply: FastifyReply,
  platform: Platform,
): Promise<boolean> {
  if (!/^(GET|HEAD)$/.test(request.method)) return false;
  try {
    const { service: name, path: pathText } = parseAddress(`/files${request.raw.url}`);
    const addressed = name === '' ? undefined : await platform.services.find(name);
    if (!addressed?.type?.can.files || pathText === '') return false;
    const { row } = addressed;
    const { path, isFolder } = parsePath(pathText);
    if (!row.isActive || isFolder || !isPublic(path, row.config.public_path)) throw fail('file.publicDenied');
    const appAddress = appAddressOf(request);
    if (appAddress) {
      setHeaders(request, reply.status(302).headers({ Location: appAddress, 'Cache-Control': 'no-store' }));
      reply.send();
      return true;
    }
    const storage = (await platform.services.open(name)).provided(openStorage);
    if (!storage) return false;
    const { headers, body } = openFile(storage, await findFile(storage, path));
    reply.headers(headers ?? {});
    if (request.server.apps.url) reply.header('Vary', 'Sec-Fetch-Mode');
    // At its own address a hosted app runs its scripts.
    if (isForApps(request)) reply.removeHeader('Content-Security-Policy');
    setHeaders(request, reply);
    if ('open' in body) await sendRaw(request, reply, body, platform);
  } catch (error) {
    if (!(error instanceof Failure) || error.status === 416) throw error;
    for (const header of Object.keys(reply.getHeaders())) reply.removeHeader(header);
    setHeaders(request, reply.status(error.status).header('Cache-Control', 'no-store'));
    reply.header('Content-Security-Policy', 'sandbox');
    sendWhole(request, reply, 'text/html; charset=utf-8', plainText(error.message));
  }
  return true;
}

/** Whether a path or a folder that it lies in is listed. */
function isPublic(path: string, listed: unknown): boolean {
  if (!Array.isArray(listed)) return false;
  return listed.some((text) => {
    const listedPath = String(text).replace(/^\/|\/$/g, '');
    return listedPath !== '' && (path === listedPath || path.startsWith(`${listedPath}/`));
  });
}

/** A message names what the caller sent, and goes out as HTML. */
const plainText = (text: string) => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
