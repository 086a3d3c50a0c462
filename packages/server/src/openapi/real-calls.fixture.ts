// Calls of operations on records that are there, each on one of its own, so that whatever a call does disturbs no other.
import type { TestPlatform } from '@sluice/testkit';
import { anyRecord, type Made } from './access.fixture.ts';
import { makeRecord, recordInput } from './records.fixture.ts';

export interface RealCall {
  address: string;
  body?: unknown;
}

/** Records of one address: what makes one, and what it is called by there. */
interface Collection {
  input(): Record<string, unknown>;
  make(): Promise<string>;
  /** The field that identifies a record. */
  key: string;
}

/** A call of an operation as it would be made in earnest; without a body where nothing says what stands in it. */
export async function realCall(platform: Pick<TestPlatform, 'ask'>, { verb, address }: Made): Promise<RealCall> {
  const [, place = '', id] = /^(.*?)(?:\/([^/]*))?$/.exec(address) ?? [];
  const isWritten = verb !== 'GET' && verb !== 'DELETE';
  if (id === anyRecord) {
    const records = collectionAt(platform, place);
    if (records) return { address: `${place}/${await records.make()}`, ...(isWritten ? { body: {} } : {}) };
  }
  const records = collectionAt(platform, address);
  if (!records || verb === 'GET') return { address, ...(isWritten ? { body: {} } : {}) };
  if (verb === 'POST') return { address, body: { resource: [records.input()] } };
  const made = await records.make();
  if (verb === 'DELETE') return { address: `${address}?ids=${encodeURIComponent(made)}` };
  return { address, body: { resource: [{ [records.key]: made }] } };
}

function collectionAt(platform: Pick<TestPlatform, 'ask'>, address: string): Collection | undefined {
  const [, resource] = /^system\/([^/]+)$/.exec(address) ?? [];
  if (resource !== undefined) {
    const input = () => recordInput(resource);
    if (input() === undefined) return undefined;
    const isNamed = resource === 'custom' || resource === 'event_script';
    return {
      input: () => input() as Record<string, unknown>,
      make: () => makeRecord(platform, resource),
      key: isNamed ? 'name' : 'id',
    };
  }
  if (!/^shop\/_table\/[^/]+$/.test(address)) return undefined;
  const input = () => ({ name: 'A thing', ...(address.endsWith('/product') ? { category_id: 1 } : {}) });
  return {
    input,
    async make() {
      const { status, body, text } = await platform.ask('POST', address, { body: { resource: [input()] } });
      if (status >= 300) throw new Error(`${address}: ${status} ${text}`);
      return String(body.resource[0].id);
    },
    key: 'id',
  };
}
