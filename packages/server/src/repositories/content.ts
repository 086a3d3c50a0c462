// A file of a repository as an answer. Somebody else wrote it: a browser shows it as text and runs nothing of it.
import { isUtf8 } from 'node:buffer';
import type { Reply } from '../call/call.ts';

/** The bytes as they are; a browser gives them no origin and no scripts. */
export const rawReply = (bytes: Uint8Array): Reply => ({
  headers: { 'Cache-Control': 'private', 'Content-Security-Policy': 'sandbox' },
  body: { bytes, type: isUtf8(bytes) ? 'text/plain; charset=utf-8' : 'application/octet-stream' },
});
