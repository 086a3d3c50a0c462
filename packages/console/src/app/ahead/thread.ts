// The program of the thread in which the server has pages drawn (server/src/http/ahead/): one at a time.
import './browser.ts';
import { parentPort } from 'node:worker_threads';
import type { CallAnswer, FromDrawing, ToDrawing } from '@sluice/contract';

// Read once there is something like a browser.
const { drawPage, prepare, sections } = await import('./page.tsx');

const tell = (message: FromDrawing) => parentPort?.postMessage(message);

let lastCall = 0;
const pending = new Map<number, (answer: CallAnswer | undefined) => void>();

/** Has the server make a call of the API. A page that is drawn changes nothing: all but GET fails. */
const ask = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
  if ((init.method ?? 'GET') !== 'GET') throw new Error('A page that is drawn only reads.');
  const call = ++lastCall;
  const answer = await new Promise<CallAnswer | undefined>((resolve) => {
    pending.set(call, resolve);
    tell({ call, url: String(url), headers: Object.fromEntries(new Headers(init.headers)) });
  });
  if (!answer) throw new Error('The call could not be made.');
  return new Response(answer.body, answer);
};

const faultOf = (error: unknown) => ({ page: '', fault: error instanceof Error ? (error.stack ?? '') : String(error) });

parentPort?.on('message', async (message: ToDrawing) => {
  if ('draw' in message) {
    tell(await drawPage(message.draw, ask).then((page) => ({ page }), faultOf));
  } else {
    pending.get(message.call)?.(message.answer);
    pending.delete(message.call);
  }
});

await prepare();
tell({ sections });
