// Keys and certificates for servers of tests.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** PEM. */
export interface KeyPair {
  key: string;
  cert: string;
}

/** A key and a certificate that it signed itself, good for two days; `options` are those of `openssl req`. */
export function selfSigned(...options: string[]): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-certificate-'));
  try {
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
    const made = ['req', '-x509', '-nodes', '-days', '2', ...options, '-keyout', key, '-out', cert];
    execFileSync('openssl', made, { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
