import type { SimpleType } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { newRelation, type RelationDraft } from '../draft/relation.ts';
import { canMatch, type Ends, likelyFields, suggestionsFor } from './likely.ts';
import { aField, anId, aRelation, aTable } from './relation.fixture.tsx';

const draft = (changes: Partial<RelationDraft>): RelationDraft => ({ ...newRelation(), ...changes });
const fields = (...names: string[]) => [anId(), ...names.map((name) => aField(name))];

describe('the fields a relation probably joins', () => {
  const own = aTable('orders', { field: fields('category_id', 'buyer') });
  const guess = (changes: Partial<RelationDraft>, ends: Ends) => likelyFields(draft(changes), own, ends);

  it.each([
    ['categories', 'category_id'],
    ['Category', 'category_id'],
    ['app.categories', 'category_id'],
    ['people', undefined],
  ])('are, of a belongs_to %s, its key and the field named after it', (name, field) => {
    expect(guess({ type: 'belongs_to', ref_table: name }, { ref: aTable(name) })).toEqual({
      ref_field: ['id'],
      ...(field ? { field: [field] } : {}),
    });
  });

  it('are those of the one foreign key before those of a name', () => {
    const toOrders = (name: string) => aField(name, { ref_table: 'orders', ref_field: 'id' });
    const line = (...field: ReturnType<typeof aField>[]) => aTable('line', { field: [anId(), ...field] });
    const guessLine = (ref: Ends['ref']) => guess({ type: 'has_many', ref_table: 'line' }, { ref });
    expect(guessLine(line(aField('order_id'), toOrders('placed')))).toEqual({ field: ['id'], ref_field: ['placed'] });
    expect(guessLine(line(toOrders('a'), toOrders('orderId'), toOrders('b')))).toMatchObject({
      ref_field: ['orderId'],
    });
    expect(guessLine(line())).toEqual({ field: ['id'] });
  });

  it('are nothing of a table that is not the one chosen, or of one without a key', () => {
    expect(guess({ type: 'belongs_to', ref_table: 'people' }, { ref: aTable('places') })).toEqual({});
    const ref = aTable('people', { field: [aField('name')] });
    expect(guess({ type: 'belongs_to', ref_table: 'people' }, { ref })).toEqual({});
  });

  it('are suggested while no relation joins them', () => {
    const table = (related: ReturnType<typeof aRelation>[] = []) =>
      aTable('todo', {
        field: [...fields('team_id', 'teamid', 'note', 'grid'), aField('tag_id', { is_foreign_key: true })],
        related,
      });
    const tables = ['tag', 'team', 'note'];
    expect(suggestionsFor(table(), tables)).toEqual([
      { field: 'team_id', table: 'team' },
      { field: 'teamid', table: 'team' },
    ]);
    expect(suggestionsFor(table([aRelation('team_by_team_id')]), tables).map(({ field }) => field)).toEqual(['teamid']);
  });
});

it.each<[SimpleType, SimpleType, boolean]>([
  ['id', 'integer', true],
  ['reference', 'bigint', true],
  ['decimal', 'integer', true],
  ['user_id_on_create', 'id', true],
  ['string', 'uuid', true],
  ['timestamp_on_create', 'datetimetz', true],
  ['time', 'timetz', true],
  ['integer', 'string', false],
  ['date', 'timestamp', false],
  ['boolean', 'integer', false],
])('%s and %s can be equal: %s', (one, other, can) => {
  expect(canMatch(aField('a', { type: one }), aField('b', { type: other }))).toBe(can);
});
