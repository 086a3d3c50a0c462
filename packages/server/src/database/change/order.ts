import type { RecordInput } from '../../call/payload.ts';
import { stringifyInput } from '../../call/payload.ts';
import { lowerCaseKeys, recordList } from '../extras/input.ts';

/**
 * The order in which tables are made so that each finds those it references; otherwise as they were sent. Where they
 * reference each other in a circle one of them comes first without its reference, which is added at the end.
 */
export function orderByReferences(records: readonly RecordInput[]): number[] {
  const indexByName = new Map(records.map((record, index) => [nameOf(record), index]));
  const order: number[] = [];
  const visited = new Set<number>();
  const visit = (start: number) => {
    // Without recursion: a chain of references may be as long as the batch.
    const stack = [{ index: start, targets: targetsOf(records[start] as RecordInput) }];
    visited.add(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = top.targets.pop();
      if (target === undefined) {
        order.push(top.index);
        stack.pop();
        continue;
      }
      const index = indexByName.get(target);
      if (index === undefined || visited.has(index)) continue;
      visited.add(index);
      stack.push({ index, targets: targetsOf(records[index] as RecordInput) });
    }
  };
  for (const index of records.keys()) if (!visited.has(index)) visit(index);
  return order;
}

const nameOf = (record: RecordInput): string =>
  stringifyInput(lowerCaseKeys(record).name ?? '')
    .trim()
    .toLowerCase();

/** Tables that fields of a record reference, the last one first. */
function targetsOf(record: RecordInput): string[] {
  const { field } = lowerCaseKeys(record);
  return recordList(field)
    .flatMap((each) => {
      const { ref_table, is_virtual } = lowerCaseKeys(each);
      return typeof ref_table === 'string' && is_virtual !== true ? [ref_table.trim().toLowerCase()] : [];
    })
    .reverse();
}
