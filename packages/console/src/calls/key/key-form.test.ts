import { describe, expect, it } from 'vitest';
import { firstCallWith } from './first-call.ts';
import { agentLimit, type KeyForm, keyBody, maxNameLength, missingIn, proposedName } from './key-form.ts';

const aForm = (changes: Partial<KeyForm> = {}): KeyForm => ({
  purpose: 'program',
  scope: 'table',
  service: 'shop',
  table: 'product',
  tables: [],
  access: 'read',
  limit: null,
  ...changes,
});
const anAgentForm = (changes: Partial<KeyForm> = {}): KeyForm =>
  aForm({ purpose: 'agent', scope: 'tables', tables: ['product', 'order'], limit: agentLimit, ...changes });

describe('the name of a key', () => {
  it('says what it is for', () => {
    expect(proposedName(aForm(), [])).toBe('shop-product-read');
    expect(proposedName(aForm({ scope: 'service', access: 'write' }), [])).toBe('shop-write');
    expect(proposedName(aForm({ scope: 'everything' }), [])).toBe('everything-read');
    expect(proposedName(aForm({ table: `Größe "der" Dinge` }), [])).toBe('shop-Größe-der-Dinge-read');
  });

  it('says that it is for an agent, and names a single table', () => {
    expect(proposedName(anAgentForm(), [])).toBe('agent-shop-read');
    expect(proposedName(anAgentForm({ tables: ['product'], access: 'write' }), [])).toBe('agent-shop-product-write');
    expect(proposedName(anAgentForm({ scope: 'everything' }), [])).toBe('agent-everything-read');
  });

  it('is one that is free, whatever its case', () => {
    expect(proposedName(aForm(), ['Shop-Product-Read', 'shop-product-read-2'])).toBe('shop-product-read-3');
  });

  it('fits, with what tells it from others', () => {
    const long = aForm({ table: 'x'.repeat(200) });
    const first = proposedName(long, []);
    expect(proposedName(long, [first]).length).toBeLessThanOrEqual(maxNameLength);
  });
});

describe('the call that makes a key', () => {
  it('names what the key is for, and no more', () => {
    expect(keyBody(aForm(), ' mine ')).toEqual({ name: 'mine', access: 'read', service: 'shop', table: 'product' });
    expect(keyBody(aForm({ scope: 'service', access: 'write' }), 'a')).toEqual({
      name: 'a',
      access: 'write',
      service: 'shop',
    });
    expect(keyBody(aForm({ scope: 'everything' }), 'a')).toEqual({ name: 'a', access: 'read' });
  });

  it('names tables and a limit of an agent', () => {
    expect(keyBody(anAgentForm(), 'a')).toEqual({
      ...{ name: 'a', access: 'read', service: 'shop', tables: ['product', 'order'] },
      limit: { rate: 60, period: 'minute' },
    });
    expect(keyBody(anAgentForm({ scope: 'service', limit: null }), 'a')).toEqual({
      ...{ name: 'a', access: 'read', service: 'shop' },
    });
  });

  it('waits for what it needs', () => {
    const nothing = { service: false, table: false, tables: false, rate: false, name: false };
    expect(missingIn(aForm({ table: null }), '')).toEqual({ ...nothing, table: true, name: true });
    expect(missingIn(aForm({ scope: 'service', table: null }), 'a')).toEqual(nothing);
    expect(missingIn(anAgentForm(), 'a')).toEqual(nothing);
    expect(missingIn(anAgentForm({ tables: [] }), 'a')).toEqual({ ...nothing, tables: true });
    for (const rate of [null, 0, Number.NaN])
      expect(missingIn(anAgentForm({ limit: { rate, period: 'day' } }), 'a')).toEqual({ ...nothing, rate: true });
    expect(missingIn(aForm({ scope: 'everything', service: null, table: null }), 'a').service).toBe(false);
  });
});

describe('the first call with a key', () => {
  const services = [
    { id: 4, name: 'files', hasTables: false },
    { id: 2, name: 'old', hasTables: true },
    { id: 3, name: 'my db', hasTables: true },
  ];
  it('shows what the key is for', () => {
    expect(firstCallWith(aForm({ service: 'my db', table: 'a/b ü' }), services)).toEqual({
      path: 'my%20db/_table/a%2Fb%20%C3%BC',
      query: { limit: '10' },
    });
    expect(firstCallWith(anAgentForm({ service: 'my db' }), services).path).toBe('my%20db/_table/product');
    expect(firstCallWith(aForm({ scope: 'service', service: 'my db' }), services).path).toBe('my%20db/_table');
    expect(firstCallWith(aForm({ scope: 'service', service: 'files' }), services).path).toBe('files');
    expect(firstCallWith(aForm({ scope: 'everything' }), services).path).toBe('my%20db/_table');
    expect(firstCallWith(aForm({ scope: 'everything' }), []).path).toBe('');
  });
});
