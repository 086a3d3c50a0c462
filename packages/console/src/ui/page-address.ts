/** Whether a browser opens an address as a page, so that the address of an app cannot run a script in the console. */
export const isPageAddress = (address: string): boolean => {
  try {
    return ['http:', 'https:'].includes(new URL(address, location.origin).protocol);
  } catch {
    return false;
  }
};
