export const launchpad = {
  title: 'LaunchPad',
  open: '{{name}} in einem neuen Fenster öffnen',
  empty: 'Für Sie gibt es noch keine Apps. Bitte wenden Sie sich an einen Administrator.',
  failed: 'Die Systemeinstellungen ließen sich nicht laden. Bitte wenden Sie sich an einen Administrator.',
};
