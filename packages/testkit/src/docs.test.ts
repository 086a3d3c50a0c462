// Documentation is tested where it lists things: what is generated must be fresh, and what is listed must exist.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errors } from '@sluice/contract';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

describe('generated documentation', () => {
  it('is what the code says now', async () => {
    const check = promisify(execFile)(process.execPath, [join(root, 'scripts/docs.mjs'), '--check']);
    await expect(check).resolves.toMatchObject({ stderr: '' });
  });
});

describe('the error catalogue', () => {
  it('holds only what is thrown somewhere', () => {
    const code = productCode();
    expect(Object.keys(errors).filter((key) => !code.includes(`'${key}'`))).toEqual([]);
  });
});

/** The source of contract, sql and server without tests and without the catalogue itself. */
function productCode(): string {
  return ['contract', 'sql', 'server']
    .flatMap((name) => {
      const folder = join(root, 'packages', name, 'src');
      return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
    })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/contract[\\/]src[\\/]errors/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}
