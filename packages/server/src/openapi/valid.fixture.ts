// Documents and what is to hold of each: two validators that know nothing of each other take it.
import { compileErrors, validate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
export type Document = any;

/** Fails with the words of the validator that does not take it. */
export async function expectValid(document: Document, name: string): Promise<void> {
  const schema = await new Validator().validate(structuredClone(document));
  expect(schema.errors ?? [], name).toEqual([]);
  const spec = await validate(structuredClone(document), { resolve: { external: false } } as never);
  expect(spec.valid ? '' : compileErrors(spec), name).toBe('');
  expectWhole(document, name);
}

/** Every reference leads somewhere, and every component is referred to. */
function expectWhole(document: Document, name: string): void {
  const refs = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, ref]) => ref),
  );
  const always = document.openapi === '3.0.0' ? ['responses/Success', 'responses/Error', 'responses/ResourceList'] : [];
  const components = Object.entries(document.components)
    .filter(([section]) => section !== 'securitySchemes')
    .flatMap(([section, entries]) => Object.keys(entries as object).map((key) => `${section}/${key}`));
  expect(components.sort(), name).toEqual([...new Set([...refs, ...always])].sort());
}

export const forms = ['3.0', '3.1'] as const;
