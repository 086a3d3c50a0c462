// Where a directory is, as the field `host` says it.
import { refuseField } from '../storage/remote-config.ts';

export interface DirectoryAddress {
  host: string;
  port: number;
  /** `tls`: encrypted from the beginning. `starttls`: it begins in the clear and is encrypted before anything is said. */
  security: 'none' | 'tls' | 'starttls';
}

const schemes = new Map<string, { security: DirectoryAddress['security']; port: number }>([
  ['ldap', { security: 'none', port: 389 }],
  ['ldaps', { security: 'tls', port: 636 }],
  ['ldap+starttls', { security: 'starttls', port: 389 }],
]);

/** Reads `ad.example.com`, `ad.example.com:3268`, `ldap://…`, `ldaps://…` or `ldap+starttls://…`; undefined for anything else. */
export function readAddress(text: string): DirectoryAddress | undefined {
  const [, scheme = 'ldap', rest = ''] = /^(?:([a-z+]+):\/\/)?(.*)$/i.exec(text.trim()) ?? [];
  const known = schemes.get(scheme.toLowerCase());
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s/@\\?#:[\]]+))(?::(\d{1,5}))?\/?$/i.exec(rest);
  if (!known || !match) return undefined;
  const port = match[3] === undefined ? known.port : Number(match[3]);
  if (port < 1 || port > 65_535) return undefined;
  return { host: (match[1] ?? match[2]) as string, port, security: known.security };
}

/** Refuses a configuration whose `host` is none. What a lookup key stands for is known only when the service opens. */
export function checkAddress(host: string | null | undefined): void {
  const text = host?.trim() ?? '';
  if (text === '') throw refuseField('host', 'The host field is required.');
  if (!text.includes('{') && !readAddress(text))
    throw refuseField(
      'host',
      'The host must be a name or an address, or begin with ldap://, ldaps:// or ldap+starttls://.',
    );
}
