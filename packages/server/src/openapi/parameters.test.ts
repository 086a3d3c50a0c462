import { startPlatform } from '@sluice/testkit';
import { afterAll, expect, it } from 'vitest';
import { parameterTexts } from './parameters.ts';

const platform = await startPlatform();
afterAll(() => platform.stop());

it('describes every query parameter that an operation of a service type names, and no other', () => {
  const named = new Set(
    platform.types.flatMap(({ routes }) => routes.operations.flatMap(({ parameters }) => parameters ?? [])),
  );
  expect([...named].filter((name) => !Object.hasOwn(parameterTexts, name))).toEqual([]);
  expect(Object.keys(parameterTexts).filter((name) => !named.has(name))).toEqual([]);
});
