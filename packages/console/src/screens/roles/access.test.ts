import { describe, expect, it } from 'vitest';
import {
  type AccessRow,
  addRow,
  createRowKey,
  currentRows,
  incompleteFilters,
  newAccessRow,
  noChanges,
  putRow,
  removeRow,
  rowsToRecord,
  storedRows,
  toWireRow,
} from './access.ts';
import { fromComparable, toComparable, toForm } from './record.ts';

const stored = storedRows([
  { id: 11, role_id: 4, service_id: 5, component: '_table/*', verb_mask: 1, requestor_mask: 1, filters: null },
  {
    id: 12,
    role_id: 4,
    service_id: null,
    component: null,
    verb_mask: 31,
    requestor_mask: 3,
    filters: [{ name: 'age', operator: 'IN', value: 7 }],
    filter_op: 'or',
  },
]);
const storedRowKeys = ['11', '12'];
const [first, second] = stored as [AccessRow, AccessRow];

describe('rows of service access', () => {
  it('are read as the server keeps them', () => {
    expect(first).toEqual({
      key: '11',
      service_id: 5,
      component: '_table/*',
      verb_mask: 1,
      requestor_mask: 1,
      filters: [],
      filter_op: 'AND',
    });
    expect(second).toMatchObject({
      service_id: null,
      component: '',
      filters: [{ name: 'age', operator: 'in', value: '7' }],
      filter_op: 'OR',
    });
    expect(storedRows(undefined)).toEqual([]);
  });

  it('begin with the documents’ defaults (ROL-010, ROL-011, ROL-012, ROL-013)', () => {
    expect(newAccessRow('new-1')).toEqual({
      key: 'new-1',
      service_id: null,
      component: '*',
      verb_mask: 0,
      requestor_mask: 1,
      filters: [],
      filter_op: 'AND',
    });
  });

  it('are sent only when new, changed or removed (ROL-009, ROL-024)', () => {
    let changes = putRow(stored, noChanges, { ...first, verb_mask: 3 });
    changes = removeRow(changes, '12');
    changes = addRow(changes, { ...newAccessRow('new-1'), component: ' _table/a ' });
    changes = addRow(changes, newAccessRow('new-2'));
    changes = removeRow(changes, 'new-2');
    const row = {
      service_id: 5,
      component: '_table/*',
      verb_mask: 3,
      requestor_mask: 1,
      filters: [],
      filter_op: 'AND',
    };
    expect(rowsToRecord(changes, storedRowKeys, 4)).toEqual([
      { id: 11, role_id: 4, ...row },
      { id: 12, role_id: null },
      { role_id: 4, ...row, service_id: null, component: '_table/a', verb_mask: 0 },
    ]);
    expect(rowsToRecord(addRow(noChanges, newAccessRow('new-1')), [], undefined)[0]).not.toHaveProperty('role_id');
    expect(rowsToRecord(noChanges, storedRowKeys, 4)).toEqual([]);
  });

  it('that were deleted since they were changed in a draft are not created again', () => {
    const changes = removeRow(putRow(stored, noChanges, { ...first, verb_mask: 3 }), '12');
    expect(rowsToRecord(changes, [], 4)).toEqual([]);
  });

  it('that are again as stored are no change', () => {
    const changes = putRow(stored, noChanges, { ...first, verb_mask: 3 });
    expect(currentRows(stored, changes)[0]?.verb_mask).toBe(3);
    expect(putRow(stored, changes, { ...first })).toEqual(noChanges);
  });

  it('stand in their order, new ones last; those removed are not shown', () => {
    const changes = addRow(removeRow(noChanges, '11'), newAccessRow('new-1'));
    expect(currentRows(stored, changes).map(({ key }) => key)).toEqual(['12', 'new-1']);
    expect(createRowKey(changes)).toBe('new-2');
    expect(createRowKey(noChanges)).toBe('new-1');
  });

  it('need a field in each filter, and send no value where none is compared', () => {
    const filters = [
      { name: 'a', operator: 'is null', value: 'left over' },
      { name: ' ', operator: '=', value: '1' },
    ];
    const changes = putRow(stored, noChanges, { ...first, filters });
    expect(incompleteFilters(changes)).toEqual(['access.11.1']);
    expect(rowsToRecord(changes, storedRowKeys, 4)[0]).toMatchObject({
      filters: [{ name: 'a', value: null }, { name: '' }],
    });
  });
});

describe('rows that someone else saved first', () => {
  const form = { ...toForm({ id: 4, name: 'reader' }), access: putRow(stored, noChanges, { ...first, verb_mask: 3 }) };
  const record = { id: 4, name: 'reader', role_service_access_by_role_id: wire(stored) };

  function wire(rows: readonly AccessRow[]) {
    return rows.map((row) => toWireRow(row, 4));
  }

  it('are compared as they would be, and put back on top of what is there now', () => {
    const comparable = toComparable(form, record);
    expect(comparable.role_service_access_by_role_id).toMatchObject([{ id: 11, verb_mask: 3 }, { id: 12 }]);
    expect(fromComparable(comparable, record).access).toEqual(form.access);
    const theirs = { ...record, role_service_access_by_role_id: wire([second, { ...second, key: '13' }]) };
    expect(fromComparable(comparable, theirs).access).toEqual({
      changed: {},
      removed: ['13'],
      added: [{ ...first, key: 'new-1', verb_mask: 3 }],
    });
    expect(fromComparable(comparable, theirs).storedRowKeys).toEqual(['12', '13']);
  });
});
