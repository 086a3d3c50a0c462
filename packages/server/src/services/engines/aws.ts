// What services of Amazon share: the regions of the contract, in its order (contract/service-types.md §3, AWS set).
import { fail } from '@sluice/contract';

export const awsRegions = [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'eu-west-1', 'eu-west-2', 'eu-central-1'],
  ...['ap-south-1', 'ap-southeast-1', 'ap-southeast-2', 'ap-northeast-1', 'ap-northeast-2', 'sa-east-1'],
];

/** Refuses what is no region: it becomes a part of a host name. */
export function checkRegion(region: string): void {
  if (/^[a-z0-9-]{1,40}$/.test(region)) return;
  const message = 'The selected region is invalid.';
  throw fail('record.invalid', { messages: [message] }, { context: { region: [message] } });
}
