// Has pages behind the sign-in drawn before they are sent, by the console's own components in a thread, so that they are seen
// before their scripts are there. What they show is read by ordinary calls of the API with the session of the cookie.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import type { AnswersAhead, CallAhead, CallAheadAnswer, PageRequest } from '@sluice/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createThread } from '../../service/thread.ts';
import { sectionOf, seemsSignedIn } from './page-request.ts';

const program = '.page-ahead/thread.js';

/** Milliseconds after which a page goes out without being drawn, its time in the queue included. */
const patience = 1_000;
/** Milliseconds after which the thread is taken to hang. */
const hangTime = 5_000;
/** Pages that wait for the thread; further ones go out without. */
const maxWaiting = 8;
/** Calls of the API for a page, and bytes of their answers. */
const maxCalls = 20;
const maxBytes = 2 * 1024 * 1024;
/** Megabytes the thread may take. */
const threadMemory = 192;
/** Milliseconds without a page after which the thread ends. */
const idleTime = 15 * 60_000;

/** A page's text, and what the calls it was made of were answered. */
export interface DrawnPage {
  page: string;
  answers: AnswersAhead;
}

export interface PageDrawer {
  /** Whether the page of this request may be drawn; asking starts the thread, and the first page is not worth waiting for it. */
  mayDraw(request: FastifyRequest): boolean;
  /** The page, or undefined when it cannot be drawn in time. */
  draw(request: FastifyRequest, page: Pick<PageRequest, 'nonce' | 'settings'>): Promise<DrawnPage | undefined>;
}

/** Draws pages of the console in this folder; calls of the API go to `server` as if the caller's browser made them. */
export function createPageDrawer(root: string, server: FastifyInstance): PageDrawer {
  const file = join(root, program);
  const isBuilt = existsSync(file);
  const thread = createThread({
    filename: file,
    idleTimeout: idleTime,
    memory: threadMemory,
    env: { NODE_ENV: 'production' },
  });
  /** The sections that the thread draws, while there is one that is ready. */
  let sections: ReadonlySet<string> | undefined;
  let isStarting = false;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let isClosing = false;
  const warn = (err: unknown) => {
    if (!isClosing) server.log.warn({ err }, 'Pages are sent without being drawn: the thread that draws them failed.');
  };
  thread.on('error', warn).on('workerDestroy', () => (sections = undefined));
  server.addHook('onClose', () => {
    isClosing = true;
    return thread.destroy();
  });

  const start = async () => {
    isStarting = true;
    try {
      sections = new Set<string>(await thread.run(undefined, { name: 'prepare' }));
    } catch (error) {
      warn(error);
    } finally {
      isStarting = false;
    }
  };

  const drawInThread = async (request: FastifyRequest, page: PageRequest): Promise<DrawnPage | undefined> => {
    const { port1: port, port2 } = new MessageChannel();
    const answers: AnswersAhead = {};
    let calls = 0;
    let bytes = 0;
    port.on('message', async ({ call, url, headers }: CallAhead) => {
      const isAllowed = url.startsWith('/api/v2/') && ++calls <= maxCalls;
      const answer = isAllowed ? await askAs(server, request, url, headers) : undefined;
      bytes += answer?.body.length ?? 0;
      const isKept = answer !== undefined && bytes <= maxBytes;
      if (isKept) answers[url] = answer;
      port.postMessage({ call, answer: isKept ? answer : undefined } satisfies CallAheadAnswer);
    });
    try {
      const signal = AbortSignal.timeout(hangTime);
      const text: string = await thread.run({ page, port: port2 }, { name: 'draw', transferList: [port2], signal });
      return text ? { page: text, answers } : undefined;
    } catch (err) {
      if (sections) server.log.debug({ err }, 'a page could not be drawn');
      else warn(err);
      return undefined;
    } finally {
      port.close();
    }
  };

  return {
    mayDraw(request) {
      if (!isBuilt || request.method !== 'GET') return false;
      if (!sections && !isStarting) void start();
      return seemsSignedIn(request) && hasView(request) && sections?.has(sectionOf(request)) === true;
    },
    async draw(request, { nonce, settings }) {
      if (waiting >= maxWaiting) return undefined;
      waiting += 1;
      let isWanted = true;
      const page: PageRequest = {
        origin: `${request.protocol}://${request.host}`,
        address: request.raw.url ?? '/',
        cookie: request.headers.cookie ?? '',
        nonce,
        settings,
      };
      const drawing = last.then(() => {
        waiting -= 1;
        return isWanted && sections ? drawInThread(request, page) : undefined;
      });
      last = drawing;
      const drawn = await Promise.race([drawing, wait(patience, undefined, { ref: false })]);
      isWanted = false;
      return drawn;
    },
  };
}

/** Whether the browser says how wide its window is and the like; the name is that of `app/ahead/view.ts` of the console. */
const hasView = ({ headers }: FastifyRequest): boolean => /(^|; )SluiceView=[^;]/.test(headers.cookie ?? '');

/** Makes a call of the API for a browser, by the door that its own calls come to. */
async function askAs(server: FastifyInstance, request: FastifyRequest, url: string, headers: Record<string, string>) {
  const { host, forwarded, 'x-forwarded-for': forwardedFor, 'user-agent': agent } = request.headers;
  const from = { host, forwarded, 'x-forwarded-for': forwardedFor, 'user-agent': agent };
  const own = Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  try {
    const {
      statusCode,
      headers: answered,
      body,
    } = await server.inject({
      method: 'GET',
      url,
      headers: { ...headers, ...own },
      remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
    });
    const kept = ['content-type', 'etag', 'x-request-id'].flatMap((name) =>
      answered[name] === undefined ? [] : [[name, String(answered[name])]],
    );
    return { status: statusCode, headers: Object.fromEntries(kept), body };
  } catch {
    // The server is about to stop.
    return undefined;
  }
}
