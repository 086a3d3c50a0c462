// The addresses of the Scripts screen: each level of the drill-down, the list of all scripts, and a script. Pure.

export const base = '/scripts';
export const listAddress = `${base}/all`;
/** A script is at `{editorBase}/{name}`. */
export const editorBase = `${base}/edit`;

/** How far one has gone down. */
export interface Level {
  service?: string | undefined;
  resource?: string | undefined;
  endpoint?: string | undefined;
}

export const levelAddress = ({ service, resource, endpoint }: Level): string => {
  const parts = [service, resource, endpoint];
  const end = parts.findIndex((part) => part === undefined || part === '');
  const given = (end < 0 ? parts : parts.slice(0, end)) as string[];
  return given.length === 0 ? base : [base, 'events', ...given.map(encodeURIComponent)].join('/');
};

export const scriptAddress = (name: string): string => `${editorBase}/${encodeURIComponent(name)}`;

/** One level up. */
export const above = ({ service, resource, endpoint }: Level): Level =>
  endpoint ? { service, resource } : resource ? { service } : {};
