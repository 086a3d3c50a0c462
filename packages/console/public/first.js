// Before anything else. The key of the scheme is `schemeKey` of src/theme/scheme.ts.
(() => {
  const attempt = (what) => {
    try {
      return what();
    } catch {
      return null;
    }
  };

  // A page that the server draws is painted before the scripts run: they are no sooner there for it, and it would wait for them.
  const runAfterPaint = (program) =>
    document.addEventListener('DOMContentLoaded', () =>
      requestAnimationFrame(() =>
        setTimeout(() => {
          const script = document.createElement('script');
          Object.assign(script, { type: 'module', crossOrigin: '', src: program });
          document.head.append(script);
        }),
      ),
    );

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

  // A page that was drawn for another window than this one hides (src/app/ahead/view.ts).
  const view = attempt(() => JSON.parse(decodeURIComponent(/(?:^|; )SluiceView=([^;]*)/.exec(document.cookie)?.[1])));
  if (view && view[0] !== innerWidth) document.documentElement.setAttribute('data-other-view', '');

  // The first call is made while the scripts are on their way, unless the server makes it for a page it draws;
  // src/api/first-answer.ts takes the answers.
  const settings = attempt(() => JSON.parse(document.getElementById('console-settings').textContent));
  if (!settings?.api_key) return;
  const session = attempt(() =>
    JSON.parse(decodeURIComponent(/(?:^|; )CurrentUserObj=([^;]*)/.exec(document.cookie)?.[1] ?? 'null')),
  );
  const token = typeof session?.session_token === 'string' ? session.session_token : null;
  const answers = new Map();
  globalThis.sluiceFirst = { token, answers };
  const program = document.querySelector('meta[name="sluice-drawn"]')?.content;
  if (program) return void runAfterPaint(program);
  const headers = { Accept: 'application/json', 'X-DreamFactory-API-Key': settings.api_key };
  if (token) headers['X-DreamFactory-Session-Token'] = token;
  const url = '/api/v2/system/environment';
  const response = fetch(url, { headers, credentials: 'omit' });
  // Who takes the answer sees the failure.
  response.catch(() => {});
  answers.set(url, response);
})();
