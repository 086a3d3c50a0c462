import { describe, expect, it } from 'vitest';
import { quickField, readQuickType } from './quick-type.ts';

describe('a typed type', () => {
  it.each([
    ['string', { type: 'string', length: null, allow_null: false }],
    [' String (80) ', { type: 'string', length: 80 }],
    ['string(80)?', { type: 'string', length: 80, allow_null: true }],
    ['decimal(10,2)', { type: 'decimal', precision: 10, scale: 2, length: null }],
    ['decimal(10)', { type: 'decimal', precision: 10, scale: 0 }],
    ['id', { type: 'id', auto_increment: true, is_primary_key: true }],
    ['timestamp_on_create', { type: 'timestamp_on_create' }],
    ['reference team', { type: 'reference', is_foreign_key: true, ref_table: 'team', ref_field: 'id' }],
    ['reference team.code ?', { type: 'reference', ref_table: 'team', ref_field: 'code', allow_null: true }],
    ['-> team', { type: 'reference', ref_table: 'team', ref_field: 'id' }],
  ])('%s', (text, properties) => {
    expect(readQuickType(text)).toMatchObject(properties);
  });

  it.each(['', '  ', 'reference', 'string(', 'string(x)', '(80)', 'two words'])('%j is none', (text) => {
    expect(readQuickType(text)).toBeNull();
    expect(quickField('a', text)).toBeNull();
  });

  it('makes a field that is complete', () => {
    expect(quickField(' title ', 'string(40)')).toMatchObject({ name: 'title', type: 'string', length: 40, value: [] });
  });
});
