// Documentation is tested where it lists things: what is generated must be fresh, and what is listed must exist.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

describe('links and pictures', () => {
  it.each(pages())('of %s lead to something', (page) => {
    const targets = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s#]+)/g)].map(
      ([, target = '']) => target,
    );
    const ours = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(ours.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });
});

/** Every page of documentation, from the top of the repository. */
function pages(): string[] {
  const folders = ['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return [...readdirSync(root), ...folders].filter((path) => path.endsWith('.md'));
}

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
