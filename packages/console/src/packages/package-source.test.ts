import { describe, expect, it } from 'vitest';
import { isAppPackage, packageOf, sourceProblem } from './package-source.ts';

const file = new File(['x'], 'shop.zip');
const address = 'https://packages.example/shop.zip';

describe('a source', () => {
  it.each([
    [{ path: '', file: null }, null],
    [{ path: 'shop.zip', file }, { file }],
    [{ path: address, file: null }, { address }],
    [{ path: ' HTTP://packages.example/shop.zip ', file: null }, { address: 'HTTP://packages.example/shop.zip' }],
    // Typed over the name of a file: the file is not meant any more.
    [{ path: address, file }, { address }],
    [{ path: 'other.zip', file }, null],
    [{ path: 'ftp://packages.example/shop.zip', file: null }, null],
  ])('%j leads to %j', (source, chosen) => expect(packageOf(source)).toEqual(chosen));

  it.each([
    [{ path: ' ', file: null }, 'missing'],
    [{ path: 'shop.zip', file: null }, 'notFound'],
    [{ path: 'shop.zip', file }, null],
    [{ path: 'https://packages.example/shop.zip?x=1', file: null }, null],
    [{ path: 'https://packages.example/shop', file: null }, 'wrongEnding'],
    [{ path: 'notes.txt', file: new File(['x'], 'notes.txt') }, 'wrongEnding'],
  ])('%j has the problem %j', (source, problem) => expect(sourceProblem(source, ['.zip', '.dfpkg'])).toBe(problem));

  it.each([
    [{ path: 'till.DFPKG', file: new File(['x'], 'till.DFPKG') }, true],
    [{ path: 'https://packages.example/till.dfpkg?raw=true', file: null }, true],
    [{ path: 'https://packages.example/shop.zip?like=a.dfpkg', file: null }, false],
    [{ path: 'till.dfpkg', file: null }, false],
  ])('%j is a package of an app: %j', (source, isOne) => expect(isAppPackage(source)).toBe(isOne));
});
