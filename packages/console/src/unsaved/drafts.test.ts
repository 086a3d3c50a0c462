import { beforeEach, expect, it } from 'vitest';
import { deleteDraft, findDraft, listDrafts, storeDraft } from './drafts.ts';

beforeEach(() => sessionStorage.clear());

const draft = (values: object) => ({ values, title: { key: 'profile:title' } as const, address: '/forms/1' });

it('keeps a draft for the one who typed it', () => {
  storeDraft({ owner: 1, form: 'role.7' }, draft({ name: 'mine' }));
  expect(findDraft({ owner: 1, form: 'role.7' })).toMatchObject({ values: { name: 'mine' }, address: '/forms/1' });
  expect(findDraft({ owner: 11, form: 'role.7' })).toBeNull();
  expect(listDrafts(11)).toEqual([]);
  expect(listDrafts(1).map(({ form }) => form)).toEqual(['role.7']);
  deleteDraft({ owner: 1, form: 'role.7' });
  expect(listDrafts(1)).toEqual([]);
});

it('keeps no more than a tab can hold, and drops what is too large, old or broken', () => {
  for (let number = 0; number < 25; number += 1) storeDraft({ owner: 1, form: `role.${number}` }, draft({ number }));
  expect(listDrafts(1)).toHaveLength(20);
  storeDraft({ owner: 2, form: 'text' }, draft({ text: 'short' }));
  storeDraft({ owner: 2, form: 'text' }, draft({ text: 'x'.repeat(1_000_001) }));
  expect(findDraft({ owner: 2, form: 'text' })).toBeNull();
  sessionStorage.setItem('sluice.draft.3.a', '{');
  sessionStorage.setItem('sluice.draft.3.b', JSON.stringify({ at: Date.now(), values: 'none' }));
  sessionStorage.setItem('sluice.draft.3.c', JSON.stringify({ at: Date.now() - 25 * 3600_000, values: {} }));
  expect(listDrafts(3)).toEqual([]);
});
