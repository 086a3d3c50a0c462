import type { ResourceName } from '@sluice/contract';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Guard } from '../session/guards.ts';

/** What the palette offers. Either an address or something to do. */
export interface PaletteEntry {
  group: 'screens' | 'services' | 'tables' | 'records' | 'operations' | 'actions';
  label: string;
  /** A second, quieter word: the type of a service, the service of a table, what a record is one of. */
  note?: string;
  to?: string;
  /** Its own picture; else that of the section it leads to. */
  icon?: ComponentType<IconProps>;
  run?: () => void;
}

/** A place of the component links; the words are `frame:nav.<name>`. */
export type NavName = keyof typeof import('../text/en/frame.ts').frame.nav;

/** A screen as `screens/index.ts` lists it: one line there is its route, its link, its guard and what the palette knows of it. */
export interface Screen {
  /** First segment of its addresses, with the slash; the screen handles what lies below. */
  path: `/${string}`;
  guard: Guard;
  /** The resource whose records it edits, at `{path}/{id}`. */
  edits?: ResourceName;
  /**
   * What stands around it: nothing, the top bar, or the top bar and the component links (NAV-009). `embedded` looks as nothing,
   * and has what the pages behind the sign-in share.
   */
  frame: 'none' | 'embedded' | 'bar' | 'rail';
  /** Its component link, in the order of the list; absent for pages that have none. */
  nav?: { name: NavName; icon: ComponentType<IconProps> };
  /** Loads its component when it is first shown, or is likely to be. */
  load: () => Promise<ComponentType>;
  /**
   * Asks for the data it begins with, while the start is still finding out who is here. Told what of the address lies below
   * its path, and the query; asks for nothing where another page than its first would be shown.
   */
  prefetch?: (below: string, search: URLSearchParams) => Promise<unknown>;
  /** What the palette can jump to inside it; runs when the palette opens and when the words change. May fail: the palette shows that. */
  palette?: (searchText: string, signal: AbortSignal) => Promise<PaletteEntry[]>;
}
