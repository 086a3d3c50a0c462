export const launchpad = {
  title: 'LaunchPad',
  open: '{{name}} in einem neuen Fenster öffnen',
  empty: 'Für Sie gibt es noch keine Apps. Bitte wenden Sie sich an die Administration.',
  failed: 'Die Systemkonfiguration ließ sich nicht laden. Bitte wenden Sie sich an die Administration.',
};
