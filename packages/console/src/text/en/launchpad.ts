/** The page of apps. */
export const launchpad = {
  title: 'LaunchPad',
  open: 'Open {{name}} in a new window',
  empty: 'Sorry, it appears you have no active applications. Please contact your system administrator.',
  failed: 'Sorry, there was a problem loading system config. Please contact your system administrator.',
};
