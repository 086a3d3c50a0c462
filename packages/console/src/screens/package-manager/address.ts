// Addresses of the section: the export, and the import beside it.
export const base = '/package-manager';
export const importAddress = `${base}/import`;

/** Whether an address is of the section: both tabs keep what was typed while one looks at the other. */
export const isOfSection = ({ pathname }: { pathname: string }): boolean =>
  pathname === base || pathname.startsWith(`${base}/`);
