// The bytes of an XML as letters: its own declaration, what its server says of it, or UTF-8.
import { Problem } from './program.ts';

/** Throws `Problem` where the bytes are no letters. */
export function decodeXml(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1');
  const charset =
    (start.startsWith('\xff\xfe') && 'utf-16le') ||
    (start.startsWith('\xfe\xff') && 'utf-16be') ||
    /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1] ||
    /^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)/.exec(start)?.[1] ||
    'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(`its letters are not those of ${charset.slice(0, 40)}`);
  }
}
