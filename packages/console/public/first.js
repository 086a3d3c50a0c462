// Before anything else. The key of the scheme is `schemeKey` of src/theme/scheme.ts.
(() => {
  const attempt = (what) => {
    try {
      return what();
    } catch {
      return null;
    }
  };

  // Light or dark before the first paint, so that nothing flashes. Without storage: like the system.
  const chosen = attempt(() => localStorage.getItem('sluice.scheme'));
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');

  // The sign-in page that came along is in the browser's language, and hides where somebody chose another (theme/global.css).
  if (attempt(() => localStorage.getItem('sluice.language')))
    document.documentElement.setAttribute('data-own-language', '');
  // Its form waits for the scripts (src/session/typed-ahead.ts).
  document.addEventListener(
    'submit',
    (event) => {
      if (!event.target.closest('[data-ahead]')) return;
      event.preventDefault();
      event.target.dataset.submitted = '';
    },
    true,
  );

  // The first question to the instance is asked while the scripts are on their way; src/api/first-answer.ts takes the answer.
  const settings = attempt(() => JSON.parse(document.getElementById('console-settings').textContent));
  if (!settings?.api_key) return;
  const session = attempt(() =>
    JSON.parse(decodeURIComponent(/(?:^|; )CurrentUserObj=([^;]*)/.exec(document.cookie)?.[1] ?? 'null')),
  );
  const token = typeof session?.session_token === 'string' ? session.session_token : null;
  const headers = { Accept: 'application/json', 'X-DreamFactory-API-Key': settings.api_key };
  if (token) headers['X-DreamFactory-Session-Token'] = token;
  const response = fetch('/api/v2/system/environment', { headers, credentials: 'omit' });
  // Who takes the answer sees the failure.
  response.catch(() => {});
  globalThis.sluiceFirst = { path: 'system/environment', token, response };
})();
