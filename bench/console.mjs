// How soon a page of the console is there, beside a bare page of the same bytes (bare-console.mjs) from the same server.
// docs/performance.md says how it is measured.

import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '../scripts/browser.mjs';
import { writeBarePage } from './bare-console.mjs';
import { median } from './measure.mjs';
import { startSluice, stop } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);

/**
 * The pages: where, which text makes it be there (a field, a service, the last row in sight), and how the bare one draws.
 * The functions `draw` and `isThere` run in the page.
 */
const pages = [
  {
    name: 'form',
    label: 'sign-in form',
    path: '/login',
    goal: 1.3,
    maxRequests: 12,
    isThere: () => Boolean(document.querySelector('input[type=password]')?.checkVisibility()),
    draw: () => {
      document.querySelector('#root').innerHTML =
        '<form><label>Email <input type="email"></label><label>Password <input type="password"></label><button>Login</button></form>';
    },
  },
  {
    name: 'home',
    label: 'Home',
    path: '/home',
    goal: 1.5,
    isSignedIn: true,
    isThere: () => Boolean(document.querySelector('#root')?.textContent.includes('Bench four')),
    draw: (answers) => {
      const rows = answers.flatMap((answer) => answer.services ?? []);
      document.querySelector('#root').innerHTML =
        `<h1>Home</h1><ul>${rows.map(({ label, type }) => `<li>${label} ${type}</li>`).join('')}</ul>`;
    },
  },
  {
    name: 'users',
    label: 'Users, 100 rows',
    path: '/users',
    goal: 1.5,
    isSignedIn: true,
    isThere: () => Boolean(document.querySelector('#root')?.textContent.includes('person100@example.com')),
    draw: (answers) => {
      const rows = answers.find((answer) => answer.resource?.[0]?.email).resource;
      const fields = ['id', 'email', 'name', 'first_name', 'last_name', 'is_active', 'confirmed'];
      const cells = (row) => fields.map((field) => `<td>${row[field]}</td>`).join('');
      document.querySelector('#root').innerHTML =
        `<h1>Users</h1><table>${rows.map((row) => `<tr><td><input type="checkbox"></td>${cells(row)}<td><button>…</button></td></tr>`).join('')}</table>`;
    },
  },
];

/** Prints for each page how soon it is there, cold and warm, on the console and on the bare page. */
export async function measureConsole(folder) {
  const [data, bareFolder] = [join(folder, 'console-data'), join(folder, 'bare-console')];
  const sluice = await startSluice(data);
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await fill(sluice);
    const session = await sessionCookie(sluice);
    for (const page of pages) {
      page.cookies = page.isSignedIn ? await cookiesAfterVisit(browser, sluice, page, session) : [];
      const loaded = await recordLoaded(browser, sluice, page);
      await writeBarePage(bareFolder, page.name, loaded, String(page.draw));
    }
    // A second process of the same instance, so that both give the same answers.
    const bare = await startSluice(data, { SLUICE_CONSOLE: bareFolder });
    console.log(
      `\nMilliseconds until a page is there, and the ratio to a bare page of the same bytes: ${rounds} rounds\n`,
    );
    console.log(
      '                 cold: bare console ratio   warm: bare console ratio   goal   requests  longest task  living',
    );
    for (const page of pages) await compare(browser, page, { sluice, bare });
    await stop(bare);
  } finally {
    await browser.close();
    await stop(sluice);
  }
}

async function compare(browser, page, { sluice, bare }) {
  const visits = { bare: { cold: [], warm: [] }, sluice: { cold: [], warm: [] } };
  const urls = { bare: `${bare.url}/${page.name}.html`, sluice: `${sluice.url}${page.path}` };
  // The first round warms the servers up and does not count.
  for (let round = 0; round <= rounds; round++)
    for (const [name, url] of Object.entries(urls)) {
      const context = await openContext(browser, url, page);
      const [cold, warm] = [await visit(context, url), await visit(context, url)];
      await context.close();
      if (round === 0) continue;
      visits[name].cold.push(cold);
      visits[name].warm.push(warm);
    }
  const middle = (name, state, value) => median(visits[name][state].map(value));
  const times = (state) => {
    const [b, s] = [middle('bare', state, ({ ms }) => ms), middle('sluice', state, ({ ms }) => ms)];
    return `${b.toFixed(0).padStart(11)}${s.toFixed(0).padStart(8)}${(s / b).toFixed(2).padStart(6)}`;
  };
  const requests = middle('sluice', 'cold', (cold) => cold.requests);
  const task = middle('sluice', 'cold', (cold) => cold.longestTask);
  const living = ['cold', 'warm'].map((state) => middle('sluice', state, (visited) => visited.living).toFixed(0));
  console.log(
    `${page.label.padEnd(16)}${times('cold')}${times('warm')}${page.goal.toFixed(1).padStart(7)}` +
      `${String(requests).padStart(7)}${page.maxRequests ? ` of ${page.maxRequests}` : '      '}${task.toFixed(0).padStart(10)} ms  ${living.join(' ').padStart(9)}`,
  );
}

async function openContext(browser, url, { isThere, cookies }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  await context.addCookies(cookies.map(({ name, value }) => ({ name, value, url, sameSite: 'Strict' })));
  await context.addInitScript(`(${watch})(${isThere})`);
  return context;
}

/** Runs in the page: notes when it is there, by the end of the first frame that shows it, and its longest task until then. */
function watch(isThere) {
  let longestTask = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  }).observe({ type: 'longtask', buffered: true });
  // The end of the first frame in which something holds.
  const endOfFrame = (holds) =>
    new Promise((resolve) => {
      const look = () => {
        if (!document.body || !holds()) return requestAnimationFrame(look);
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now());
        channel.port2.postMessage(null);
      };
      requestAnimationFrame(look);
    });
  const isLiving = () => isThere() && !document.querySelector('[data-ahead]');
  Promise.all([endOfFrame(isThere), endOfFrame(isLiving)]).then(([ms, living]) =>
    // Tasks are reported behind their frame.
    setTimeout(() => {
      window.visit = { ms, living, longestTask };
    }, 100),
  );
}

/** Opens a page in a tab of its own; answers when it was there, the longest task before, and how many requests were begun by then. */
async function visit(context, url) {
  const tab = await context.newPage();
  const requests = [];
  tab.on('request', (request) => requests.push(request));
  await tab.goto(url);
  const seen = await (await tab.waitForFunction(() => window.visit)).jsonValue();
  const origin = await tab.evaluate(() => performance.timeOrigin);
  await tab.close();
  const before = requests.filter((request) => request.timing().startTime <= origin + seen.ms);
  return { ...seen, requests: before.length };
}

/** The cookies of a browser in which the page was opened before: the session, and what the console has kept of its view. */
async function cookiesAfterVisit(browser, sluice, page, session) {
  const url = `${sluice.url}${page.path}`;
  const context = await openContext(browser, url, { ...page, cookies: [{ name: 'CurrentUserObj', value: session }] });
  const tab = await context.newPage();
  await tab.goto(url);
  await tab.waitForFunction(() => window.visit && document.cookie.includes('SluiceView='));
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

/** What the console loads for a page: the texts of its scripts and styles, its fonts, and the calls of the API. */
async function recordLoaded(browser, sluice, page) {
  const url = `${sluice.url}${page.path}`;
  // Without the cookie of its view, so that no page is drawn ahead: its calls are seen, and a bare page makes the same ones.
  const cookies = page.cookies.filter(({ name }) => name !== 'SluiceView');
  const context = await openContext(browser, url, { ...page, cookies });
  const tab = await context.newPage();
  const responses = [];
  tab.on('response', (response) => responses.push(response));
  await tab.goto(url);
  await tab.waitForFunction(() => window.visit);
  const ofType = (type) => responses.filter((response) => response.request().resourceType() === type);
  const texts = (type) => Promise.all(ofType(type).map((response) => response.text()));
  const loaded = {
    scripts: await texts('script'),
    styles: await texts('stylesheet'),
    fonts: await Promise.all(
      ofType('font').map(async (response) => ({ url: response.url(), body: await response.body() })),
    ),
    calls: await Promise.all(ofType('fetch').map(callOf)),
  };
  await context.close();
  return loaded;
}

async function callOf(response) {
  const { pathname, search } = new URL(response.url());
  const headers = await response.request().allHeaders();
  const sent = Object.entries(headers).filter(([name]) => name === 'accept' || name.startsWith('x-'));
  return { url: pathname + search, headers: Object.fromEntries(sent) };
}

/** Four services and a page full of users. */
async function fill(sluice) {
  for (const word of ['one', 'two', 'three', 'four'])
    await sluice.ask('POST', 'system/service', {
      resource: [
        {
          name: `bench_${word}`,
          label: `Bench ${word}`,
          type: 'sqlite',
          is_active: true,
          config: { database: `${word}.sqlite` },
        },
      ],
    });
  const users = Array.from({ length: 120 }, (_, index) => ({
    name: `Person ${index + 1}`,
    first_name: `First${index + 1}`,
    last_name: `Last${index + 1}`,
    email: `person${index + 1}@example.com`,
    is_active: index % 7 !== 0,
  }));
  await sluice.ask('POST', 'system/user', { resource: users });
}

/** The session of the administrator as the console keeps it. */
async function sessionCookie(sluice) {
  const { session_id: _, ...session } = await sluice.ask('GET', 'system/admin/session');
  return encodeURIComponent(JSON.stringify(session));
}
