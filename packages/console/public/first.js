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

  // The first calls are made while the scripts are on their way; src/api/first-answer.ts takes the answers.
  const settings = attempt(() => JSON.parse(document.getElementById('console-settings').textContent));
  if (!settings?.api_key) return;
  const session = attempt(() =>
    JSON.parse(decodeURIComponent(/(?:^|; )CurrentUserObj=([^;]*)/.exec(document.cookie)?.[1] ?? 'null')),
  );
  const token = typeof session?.session_token === 'string' ? session.session_token : null;
  const headers = { Accept: 'application/json', 'X-DreamFactory-API-Key': settings.api_key };
  if (token) headers['X-DreamFactory-Session-Token'] = token;
  const answers = new Map();
  const ask = ([path, query]) => {
    const url = `/api/v2/${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
    const response = fetch(url, { headers, credentials: 'omit' });
    // Who takes the answer sees the failure.
    response.catch(() => {});
    answers.set(url, response);
  };
  ask(['system/environment']);
  globalThis.sluiceFirst = { token, answers };

  // What some pages begin with; src/app/first-calls.test.ts holds it to what they ask for.
  const peopleQuery = (related) => ({ limit: 100, order: 'id asc', related, include_count: true });
  const changed = ['admin', 'app', 'custom', 'email_template', 'lookup', 'role', 'service', 'user'];
  const calls = {
    '/home': [
      [''],
      ['system/service', { fields: 'id,name,label,type,is_active', limit: 1000 }],
      ['system/service/_use'],
      ['system/app/_use'],
      [
        'system/audit',
        {
          fields: 'id,created_date,action,resource,record_id,record_name,user_email',
          filter: `(resource in (${changed.map((name) => `"${name}"`)})) and ((action = "create") or (action = "update") or (action = "delete"))`,
          order: 'id desc',
          limit: 8,
        },
      ],
    ],
    '/admins': [['system/admin', peopleQuery('lookup_by_user_id')]],
    '/users': [['system/user', peopleQuery('user_to_app_to_role_by_user_id,lookup_by_user_id')]],
  };
  if (session?.is_sys_admin && location.search === '') calls[location.pathname]?.forEach(ask);
})();
