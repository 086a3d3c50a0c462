// `system/custom`: values that clients keep with the instance (contract/system-resources.md §13).
import { custom } from '@sluice/contract';
import { findRow, parseRecordId } from '../../records/rows.ts';
import type { RecordChange, ServedResource } from '../../resource/resource.ts';

export const customResource: ServedResource = {
  definition: custom,
  table: 'custom',
  isAddressed: true,
  bareValue: 'value',
  async beforeSave(change) {
    // A setting is addressed by its name, so the name stays.
    if (change.kind === 'update') delete change.values.name;
    else await checkName(change);
  },
};

async function checkName({ values, context, reportInvalid }: RecordChange): Promise<void> {
  const name = parseRecordId(customResource, values.name);
  if (typeof name !== 'string') return;
  // A name with a slash could be written and never be addressed.
  if (name.includes('/')) reportInvalid('name', 'The name format is invalid.');
  else if (await findRow(context.db, customResource, name)) reportInvalid('name', 'The name has already been taken.');
}
