// The program of the thread in which the server has pages drawn (server/src/http/ahead/): one at a time.
import './browser.ts';
import type { MessagePort } from 'node:worker_threads';
import type { CallAhead, CallAheadAnswer, CallAnswer, PageRequest } from '@sluice/contract';

/** Read once there is something like a browser. */
const loadPages = () => import('./page.tsx');

/** Loads what pages need; answers the sections whose pages can be drawn. */
export async function prepare(): Promise<string[]> {
  const pages = await loadPages();
  await pages.prepare();
  return pages.sections;
}

/** The page as a text, empty where none can be drawn. The server makes its calls of the API, which come by `port`. */
export async function draw({ page, port }: { page: PageRequest; port: MessagePort }): Promise<string> {
  const { drawPage } = await loadPages();
  let lastCall = 0;
  const pending = new Map<number, (answer: CallAnswer | undefined) => void>();
  port.on('message', ({ call, answer }: CallAheadAnswer) => pending.get(call)?.(answer));
  /** A page that is drawn changes nothing: all but GET fails. */
  const ask = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    if ((init.method ?? 'GET') !== 'GET') throw new Error('A page that is drawn only reads.');
    const call = ++lastCall;
    const answer = await new Promise<CallAnswer | undefined>((resolve) => {
      pending.set(call, resolve);
      const headers = Object.fromEntries(new Headers(init.headers));
      port.postMessage({ call, url: String(url), headers } satisfies CallAhead);
    });
    if (!answer) throw new Error('The call could not be made.');
    return new Response(answer.body, answer);
  };
  try {
    return await drawPage(page, ask);
  } finally {
    port.close();
  }
}
