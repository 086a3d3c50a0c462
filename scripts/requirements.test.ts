import { describe, expect, it } from 'vitest';
import { idsIn, rangesOf, requirementIds } from './requirements.mjs';

// Made up, in groups no requirement has: these titles must not count as tests of real ones.
describe('requirement ids', () => {
  it('come from the rows of the page, without notes and open points', () => {
    const page = [
      '| id | requirement | source | kind |',
      '|---|---|---|---|',
      '| QQ-001 | one \\| two | document 1 | rule |',
      '| QQ-002 | nothing to test | document 1 | note |',
      '- OPEN-001: settled',
      '| OPEN-002 | as a row | document 1 | rule |',
      '| QQ-003 | mentions QQ-009 | document 1 | ui |',
    ].join('\n');
    expect(requirementIds(page)).toEqual(['QQ-001', 'QQ-003']);
  });

  it.each([
    ['QQ-010 redirects', ['QQ-010']],
    ['QQ-010…012', ['QQ-010', 'QQ-011', 'QQ-012']],
    ['QQ-010..011, QZ-001', ['QQ-010', 'QQ-011', 'QZ-001']],
    ['QQ-010…QQ-011', ['QQ-010', 'QQ-011']],
    ['QQ-012…010', []],
    ['UTF-8, QQ-1, QQ-0101', []],
  ])('are read from a title: %s', (title, ids) => {
    expect(idsIn(title)).toEqual(ids);
  });

  it('are written as ranges, within a group', () => {
    expect(rangesOf(['QQ-001', 'QQ-003', 'QQ-004', 'QQ-005', 'QZ-006'])).toBe('QQ-001 QQ-003…005 QZ-006');
  });
});
