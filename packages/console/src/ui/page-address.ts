/** Whether a browser opens an address as a page: whoever names an app does not get to run a script in the console. */
export const isPageAddress = (address: string): boolean => {
  try {
    return ['http:', 'https:'].includes(new URL(address, window.location.origin).protocol);
  } catch {
    return false;
  }
};
