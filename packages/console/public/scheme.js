// Before the first paint: light or dark, so that nothing flashes. The key is `schemeKey` of src/theme/scheme.ts.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem('sluice.scheme');
  } catch {
    // No storage: like the system.
  }
  const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
