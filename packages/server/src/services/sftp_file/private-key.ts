// A private key as it is configured: its text, or the path of a file of this machine.
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

/** Longest file that is read for a key. */
const maxKey = 64 * 1024;

/**
 * The text of a key. Why a file cannot be read is not said: an answer must not tell what files this machine has, nor
 * what is in them. Nothing, and the client refuses it as it refuses a file that is no key.
 */
export async function readPrivateKey(value: string): Promise<string> {
  const text = value.trim();
  if (!isAbsolute(text) || text.includes('\n')) return `${text}\n`;
  try {
    const file = await open(text);
    try {
      const { size } = await file.stat();
      return size > maxKey ? '' : (await file.readFile()).subarray(0, maxKey).toString('latin1');
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
