import { type useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { type Making, makings, type PanePart, type TableView, tableAddress, tableViews } from './addresses.ts';

/** Where the person is in Schema. */
export interface Place {
  service: string;
  /** Empty while none is open. */
  table: string;
  /** How the middle shows the table or the service. */
  view: TableView;
  making: Making | null;
  /** What the pane edits; `name` is null for a new one. */
  pane: { part: PanePart; name: string | null } | null;
}

const oneOf = <T extends string>(known: readonly T[], word: string | null | undefined): T | null =>
  known.find((candidate) => candidate === word) ?? null;

export function usePlace(): Place {
  const { service = '', table = '', part, name } = useParams();
  const [query] = useSearchParams();
  const panePart = oneOf<PanePart>(['field', 'relation'], part);
  return {
    service,
    table,
    view: oneOf(tableViews, query.get('view')) ?? 'table',
    making: table === '' ? oneOf(makings, query.get('make')) : null,
    pane: panePart && { part: panePart, name: name ?? null },
  };
}

/** Closes the pane; the middle stays as it is. */
export function useClosePane(): () => void {
  const { service, table, view } = usePlace();
  const navigate = useNavigate();
  return () => navigate(tableAddress(service, table, view));
}

/** The part of an address that a guard compares. */
export type LocationParts = Pick<ReturnType<typeof useLocation>, 'pathname' | 'search'>;
