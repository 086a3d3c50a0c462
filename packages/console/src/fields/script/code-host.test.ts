import { afterEach, describe, expect, it, vi } from 'vitest';
import { isPublicRepository, parseHostedFile, readHostedFile } from './code-host.ts';

const file = { owner: 'ada', repository: 'hooks', branch: 'main', path: 'a b/x.js' };

describe('addresses of files', () => {
  it.each([
    ['https://github.com/ada/hooks/blob/main/a%20b/x.js', file],
    [' https://github.com/ada/hooks/raw/main/a%20b/x.js?raw=1#L3 ', file],
    ['https://raw.githubusercontent.com/ada/hooks/main/a%20b/x.js', file],
    ['https://raw.githubusercontent.com/ada/hooks/refs/heads/main/a%20b/x.js', file],
    ['https://github.com/ada/hooks', null],
    ['https://github.com/ada/hooks/tree/main/a', null],
    ['https://github.com/ada/hooks/blob/main', null],
    ['https://github.com/ada/hooks/blob/main/%E0%A4%A', null],
    ['ftp://github.com/ada/hooks/blob/main/x.js', null],
    ['x.js', null],
  ])('%s', (address, expected) => expect(parseHostedFile(address)).toEqual(expected));
});

describe('the code-hosting service', () => {
  afterEach(() => vi.restoreAllMocks());
  const signal = new AbortController().signal;
  const answer = (status: number, body: unknown) =>
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(JSON.stringify(body), { status }));
  const base64 = (text: string) =>
    Buffer.from(text)
      .toString('base64')
      .replace(/(.{8})/g, '$1\n');

  it('is asked without anything of ours, and with an account only where one is given (X-032, SCR-028)', async () => {
    const fetched = answer(200, { content: base64('grüße = "…"'), encoding: 'base64', size: 12 });
    expect(await readHostedFile('https://git.example/api', file, { user: 'ada', password: 'pä' }, signal)).toBe(
      'grüße = "…"',
    );
    expect(fetched).toHaveBeenLastCalledWith(
      'https://git.example/api/repos/ada/hooks/contents/a%20b/x.js?ref=main',
      expect.objectContaining({
        headers: { Accept: expect.any(String), Authorization: `Basic ${Buffer.from('ada:pä').toString('base64')}` },
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      }),
    );
    answer(200, { private: true });
    expect(await isPublicRepository('https://git.example/api', file, signal)).toBe(false);
    expect(fetched.mock.lastCall?.[1]?.headers).toEqual({ Accept: expect.any(String) });
  });

  it.each([
    [401, {}, 'Error: Authentication failed.'],
    [404, {}, 'Error: The file could not be found.'],
    [403, { message: 'API rate limit exceeded' }, 'Error: The code-hosting service refused: API rate limit exceeded'],
    [200, { content: '', encoding: 'none', size: 2_000_000 }, 'This file is larger than 1 MiB.'],
    [200, [{ name: 'a folder' }], 'This file could not be read.'],
  ])('the message says why: %s (X-030, X-031)', async (status, body, message) => {
    answer(status, body);
    await expect(readHostedFile('https://git.example', file, null, signal)).rejects.toThrow(message);
  });

  it('is said to be unreachable, and a repository not to be found (SCR-017)', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    const unreachable = 'Error: git.example cannot be reached from this browser.';
    await expect(readHostedFile('https://git.example', file, null, signal)).rejects.toThrow(unreachable);
    answer(404, { message: 'Not Found' });
    const missing = 'Error: The repository could not be found.';
    await expect(isPublicRepository('https://git.example', file, signal)).rejects.toThrow(missing);
  });
});
