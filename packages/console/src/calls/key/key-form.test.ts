import { describe, expect, it } from 'vitest';
import { firstCallWith } from './first-call.ts';
import { type KeyForm, keyBody, maxNameLength, missingIn, proposedName } from './key-form.ts';

const aForm = (changes: Partial<KeyForm> = {}): KeyForm => ({
  scope: 'table',
  service: 'shop',
  table: 'product',
  access: 'read',
  ...changes,
});

describe('the name of a key', () => {
  it('says what it is for', () => {
    expect(proposedName(aForm(), [])).toBe('shop-product-read');
    expect(proposedName(aForm({ scope: 'service', access: 'write' }), [])).toBe('shop-write');
    expect(proposedName(aForm({ scope: 'everything' }), [])).toBe('everything-read');
    expect(proposedName(aForm({ table: `Größe "der" Dinge` }), [])).toBe('shop-Größe-der-Dinge-read');
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

  it('waits for what it needs', () => {
    expect(missingIn(aForm({ table: null }), '')).toEqual({ service: false, table: true, name: true });
    expect(missingIn(aForm({ scope: 'service', table: null }), 'a')).toEqual({
      service: false,
      table: false,
      name: false,
    });
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
    expect(firstCallWith(aForm({ scope: 'service', service: 'my db' }), services).path).toBe('my%20db/_table');
    expect(firstCallWith(aForm({ scope: 'service', service: 'files' }), services).path).toBe('files');
    expect(firstCallWith(aForm({ scope: 'everything' }), services).path).toBe('my%20db/_table');
    expect(firstCallWith(aForm({ scope: 'everything' }), []).path).toBe('');
  });
});
