// What scripts that mean harm look for: a secret in the environment and in a file, and a port that somebody listens on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';

export interface HostilePlace {
  /** A folder with a file `secret.key`. */
  folder: string;
  /** A port of 127.0.0.1 that takes connections. */
  port: number;
  /** The process that runs the scripts' interpreters. */
  pid: number;
}

export const secretOfPlace = 'this-is-the-key-of-the-server';

/** Makes it for a test file; when its tests are over nobody has connected. */
export async function openHostilePlace(): Promise<HostilePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  writeFileSync(join(folder, 'secret.key'), secretOfPlace);
  process.env.SLUICE_HOSTILE_KEY = secretOfPlace;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  afterAll(() => {
    server.close();
    delete process.env.SLUICE_HOSTILE_KEY;
    rmSync(folder, { recursive: true });
    expect(connections).toBe(0);
  });
  return { folder, port: (server.address() as AddressInfo).port, pid: process.pid };
}
