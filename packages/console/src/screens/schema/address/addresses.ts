// The addresses of Schema. A path says what is edited, the query how the middle shows it:
//   /schema/{service}                          the service; ?make=table|upload|paste makes tables, ?view=diagram draws all of them
//   /schema/{service}/{table}                  a table; ?view=json|history|diagram shows it otherwise
//   /schema/{service}/{table}/field[/{name}]     its field in the pane, a new one without a name; `relation` alike

export const home = '/schema';

/** How a table is shown; `table` is the form. */
export const tableViews = ['table', 'json', 'diagram', 'history'] as const;
export type TableView = (typeof tableViews)[number];

/** The ways to new tables. */
export const makings = ['table', 'upload', 'paste'] as const;
export type Making = (typeof makings)[number];

/** What the pane at the edge edits. */
export type PanePart = 'field' | 'relation';

const pathOf = (...segments: string[]): string => [home, ...segments.map(encodeURIComponent)].join('/');
const withView = (path: string, view: TableView): string => (view === 'table' ? path : `${path}?view=${view}`);

export const serviceAddress = (service: string): string => pathOf(service);
export const makeAddress = (service: string, making: Making): string => `${pathOf(service)}?make=${making}`;
/** All tables of a service, drawn. */
export const diagramAddress = (service: string): string => `${pathOf(service)}?view=diagram`;

export const tableAddress = (service: string, table: string, view: TableView = 'table'): string =>
  withView(pathOf(service, table), view);

/** A field or a relation of a table in the pane; a new one without a name. What the middle shows stays. */
export const paneAddress = (
  service: string,
  table: string,
  part: PanePart,
  name?: string,
  view: TableView = 'table',
): string => withView(name === undefined ? pathOf(service, table, part) : pathOf(service, table, part, name), view);
