// What configurations of storages on other machines share: checks, the address shown, and the test of a connection.
import { fail } from '@sluice/contract';
import type { Storage } from './storage.ts';

/** Refuses a configuration with the message at its field. */
export function refuseField(name: string, message: string) {
  return fail('record.invalid', { messages: [message] }, { context: { [name]: [message] } });
}

/** A host name or an address, and a port. */
export function checkHost({ host, port }: { host?: string | null; port?: number | null }): void {
  const name = host?.trim() ?? '';
  if (name === '') throw refuseField('host', 'The host field is required.');
  if (/[\s/@\\]/.test(name)) throw refuseField('host', 'The host must be a name or an address, nothing more.');
  if (port !== null && port !== undefined && (port < 1 || port > 65_535))
    throw refuseField('port', 'The port must be between 1 and 65535.');
}

/** A folder of a server: any path without parts that lead up. */
export function checkFolder(container: string | null | undefined): void {
  const name = container?.trim() ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\x00-\x1f\x7f\\]/.test(name) || name.split('/').includes('..') || name.length > 4_000)
    throw refuseField('container', 'The container must be a plain path, without parts that lead up.');
}

/** Where a server listens, for administrators. */
export function hostAddress(host: string | null | undefined, port: number): string | undefined {
  const name = host?.trim();
  return name ? `${name.includes(':') ? `[${name}]` : name}:${port}` : undefined;
}

/** A time limit within bounds, as seconds. */
export const secondsOf = (timeout: number | null | undefined): number => Math.min(Math.max(timeout ?? 90, 1), 600);

/** Opens a storage, looks at its root, and closes it. */
export async function testStorage(opening: Promise<Storage>): Promise<void> {
  const storage = await opening;
  try {
    for await (const _entry of storage.list('', { namesOnly: true })) break;
  } finally {
    await storage.close?.();
  }
}
