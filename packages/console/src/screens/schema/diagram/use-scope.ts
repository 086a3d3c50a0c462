// Which tables are drawn, and what of the diagram outlasts a reload of the page.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { diagramAddress, tableAddress } from '../address/addresses.ts';
import type { FieldChoice, Point } from './boxes.ts';

/** The neighbourhood of a table, over one or two steps; without a root, all tables. */
export interface Scope {
  root: string | null;
  depth: number;
}

/** The state of the diagram in this tab of the browser. */
export interface Memory {
  /** The table of the address it belongs to. */
  table: string | null;
  scope: Scope;
  choice: FieldChoice;
  view: { centre: Point; zoom: number } | null;
}

const keyOf = (service: string) => `sluice.diagram.${service}`;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** What was remembered of the service; null when that was at another address, or is unreadable. */
export function recall(service: string, table: string | null): Memory | null {
  try {
    const memory = JSON.parse(sessionStorage.getItem(keyOf(service)) ?? 'null') as Memory | null;
    if (!memory || memory.table !== table || ![1, 2].includes(memory.scope.depth)) return null;
    if (!['all', 'keys'].includes(memory.choice)) return null;
    const { view } = memory;
    const isView = view && isNumber(view.zoom) && isNumber(view.centre.x) && isNumber(view.centre.y);
    return { ...memory, view: isView ? view : null };
  } catch {
    return null;
  }
}

export function remember(service: string, memory: Memory): void {
  try {
    sessionStorage.setItem(keyOf(service), JSON.stringify(memory));
  } catch {
    // Without room it is forgotten, no more.
  }
}

/**
 * The scope and how to change it. The address names the root; the table of an open pane stands there as well, so an
 * address whose table is drawn already changes nothing.
 */
export function useScope(
  service: string,
  table: string | null,
  memory: Memory | null,
  drawn: RefObject<ReadonlySet<string>>,
) {
  const navigate = useNavigate();
  const [scope, setScope] = useState<Scope>(memory?.scope ?? { root: table, depth: 1 });
  const lastTable = useRef(table);
  useEffect(() => {
    if (table === lastTable.current) return;
    lastTable.current = table;
    if (table === null) setScope({ root: null, depth: 1 });
    else if (!drawn.current.has(table)) setScope({ root: table, depth: 1 });
  }, [table, drawn]);
  return {
    scope,
    showAll: () => {
      setScope({ root: null, depth: 1 });
      navigate(diagramAddress(service));
    },
    showAround: (root: string, depth = 1) => {
      setScope({ root, depth });
      if (root !== table) navigate(tableAddress(service, root, 'diagram'));
    },
  };
}
