// `system/custom`: values that clients keep with the instance (contract/system-resources.md §13).
import { custom } from '@sluice/contract';
import { findRow, recordId } from '../../records/rows.ts';
import type { Change, ServedResource } from '../../resource/resource.ts';

export const customResource: ServedResource = {
  definition: custom,
  table: 'custom',
  isAddressed: true,
  bareValue: 'value',
  async beforeSave(change) {
    // The name is what a setting is addressed by, and stays.
    if (change.kind === 'update') delete change.values.name;
    else await checkName(change);
  },
};

async function checkName({ values, context, invalid }: Change): Promise<void> {
  const name = recordId(customResource, values.name);
  if (typeof name !== 'string') return;
  // A name with a slash could be written and never be addressed.
  if (name.includes('/')) invalid('name', 'The name format is invalid.');
  else if (await findRow(context.db, customResource, name)) invalid('name', 'The name has already been taken.');
}
