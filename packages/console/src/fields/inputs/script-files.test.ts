import { definitionFileEndings } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { canRefresh, isAccepted, noLink, scriptConfig, scriptEndings, scriptSource } from './script-files.ts';

describe('files an editor takes in', () => {
  it.each([
    ['nodejs', 'a.js', true],
    ['nodejs', 'a.JS', true],
    ['nodejs', 'a.php', false],
    ['v8js', 'a.js', true],
    ['php', 'a.php', true],
    ['php', 'a.js', false],
    ['python', 'a.py', true],
    ['python', 'a.python', true],
    ['python', 'a.js', false],
    ['rws', 'a.yaml', true],
    ['rws', 'a.json', true],
    ['rws', 'a.exe', false],
    ['constructor', 'a.json', true],
  ])('for %s: %s is %s (SVC-023, SVC-024, SVC-025, SVC-026)', (type, name, isTaken) => {
    expect(isAccepted(name, scriptEndings(type))).toBe(isTaken);
  });

  it('takes definitions in json, yml or yaml (SVC-027)', () => {
    expect(['d.json', 'd.yml', 'd.yaml', 'd.js'].map((name) => isAccepted(name, definitionFileEndings))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('a linked script', () => {
  const git = { storage_service_id: 1, scm_repository: 'hooks', scm_reference: 'main', storage_path: '/a b/x.js' };

  it('is refreshed from git with repository, reference and path (SVC-028), from elsewhere with a path (SVC-029)', () => {
    expect(canRefresh(git, 'github')).toBe(true);
    for (const part of ['scm_repository', 'scm_reference', 'storage_path'])
      expect(canRefresh({ ...git, [part]: '' }, 'gitlab')).toBe(false);
    expect(canRefresh({ ...noLink, storage_service_id: 1, storage_path: 'x.js' }, 'local_file')).toBe(true);
    expect(canRefresh({ ...noLink, storage_service_id: 1 }, 'local_file')).toBe(false);
    expect(canRefresh(git, undefined)).toBe(false);
  });

  it('is read where it lives (SVC-039, SVC-040, C-SVC-10, C-SVC-11)', () => {
    expect(scriptSource(git, { name: 'gh', type: 'bitbucket' })).toEqual({
      path: 'gh/_repo/hooks',
      query: { path: '/a b/x.js', branch: 'main', content: '1' },
    });
    expect(scriptSource(git, { name: 'files', type: 'local_file' })).toEqual({ path: 'files/a%20b/x.js', query: {} });
  });

  it('is saved without content, and only git keeps a repository (OPEN-151)', () => {
    const config = { ...git, content: 'shown only', queued: true };
    expect(scriptConfig(config, 'github')).toEqual({ ...git, content: '', queued: true });
    expect(scriptConfig(config, 'local_file')).toEqual({
      ...git,
      content: '',
      queued: true,
      scm_repository: null,
      scm_reference: null,
    });
    expect(scriptConfig({ ...config, storage_service_id: null }, undefined)).toEqual({
      ...noLink,
      content: 'shown only',
      queued: true,
    });
    expect(scriptConfig({ host: 'x' }, undefined)).toEqual({ host: 'x' });
  });
});
