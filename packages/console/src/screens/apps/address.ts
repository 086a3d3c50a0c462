// Addresses of the section: the list, and the import beside it.
export const base = '/apps';
export const importAddress = `${base}/import`;
