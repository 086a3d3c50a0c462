// Several values of a picklist in one text, as the rule `multi_picklist` stores them (contract/database-tables.md §10). Pure.
import type { FieldDescription } from '@sluice/contract';

export interface MultiPicklistRules {
  delimiter: string;
  min: number;
  /** Null: as many as there are. */
  max: number | null;
}

export function multiPicklistRules(options: unknown): MultiPicklistRules {
  const { delimiter, min, max } = (options ?? {}) as Record<string, unknown>;
  return {
    delimiter: typeof delimiter === 'string' && delimiter !== '' ? delimiter : ',',
    min: positiveInteger(min) ?? 1,
    max: positiveInteger(max) ?? null,
  };
}

const positiveInteger = (value: unknown): number | undefined => {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

/** How a field uses its picklist: one value, several, or suggestions for any text; null when it has none. */
export function picklistMode(field: FieldDescription): 'one' | 'several' | 'suggested' | null {
  const rules = field.validation ?? {};
  if (!field.picklist) return null;
  return 'multi_picklist' in rules ? 'several' : 'picklist' in rules ? 'one' : 'suggested';
}

export const splitChoices = (text: string, { delimiter }: MultiPicklistRules): string[] =>
  text
    .split(delimiter)
    .map((item) => item.trim())
    .filter(Boolean);
