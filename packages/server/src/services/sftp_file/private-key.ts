// A private key as it is configured: its text, or the path of a file of this machine.
import { constants } from 'node:fs';
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
    // A device or a pipe could go on for ever.
    const file = await open(text, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= maxKey ? await file.readFile('latin1') : '';
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
