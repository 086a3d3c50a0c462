// Has pages behind the sign-in drawn before they are sent, by the console's own components in a thread, so that they are seen
// before their scripts are there. What they show is read by ordinary calls of the API with the session of the cookie.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AnswersAhead, FromDrawing, PageRequest, ToDrawing } from '@sluice/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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

interface Job {
  request: FastifyRequest;
  page: PageRequest;
  answers: AnswersAhead;
  calls: number;
  bytes: number;
  isWanted: boolean;
  resolve: (drawn: DrawnPage | undefined) => void;
}

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
  const waiting: Job[] = [];
  let running: Job | undefined;
  let thread: { worker: Worker; sections: ReadonlySet<string> } | undefined;
  let hanging: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  const post = (message: ToDrawing) => thread?.worker.postMessage(message);
  const endThread = () => {
    void thread?.worker.terminate();
    thread = undefined;
    clearTimeout(idle);
    finish(undefined);
  };
  const finish = (drawn: DrawnPage | undefined) => {
    clearTimeout(hanging);
    running?.resolve(drawn);
    running = undefined;
    runNext();
  };
  const runNext = () => {
    if (running) return;
    if (!thread) for (const job of waiting.splice(0)) job.resolve(undefined);
    running = waiting.splice(0).find((job, index, jobs) => {
      if (job.isWanted) waiting.push(...jobs.slice(index + 1));
      return job.isWanted;
    });
    if (!running) return;
    post({ draw: running.page });
    hanging = setTimeout(endThread, hangTime).unref();
  };

  const call = async (job: Job, { call, url, headers }: Extract<FromDrawing, { call: number }>) => {
    const isAllowed = url.startsWith('/api/v2/') && ++job.calls <= maxCalls;
    const answer = isAllowed ? await askAs(server, job.request, url, headers) : undefined;
    job.bytes += answer?.body.length ?? 0;
    if (answer && job.bytes <= maxBytes) job.answers[url] = answer;
    post({ call, answer: job.bytes <= maxBytes ? answer : undefined });
  };

  const startThread = () => {
    const worker = new Worker(file, {
      // None of our settings, least of all secrets.
      env: { NODE_ENV: 'production' },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: threadMemory },
    });
    worker.unref();
    const started = { worker, sections: new Set<string>() as ReadonlySet<string> };
    const isCurrent = () => worker === thread?.worker;
    worker.on('message', (message: FromDrawing) => {
      if (!isCurrent()) return;
      if ('sections' in message) started.sections = new Set(message.sections);
      else if ('call' in message) running && void call(running, message);
      else {
        if (message.fault) server.log.debug({ fault: message.fault }, 'a page could not be drawn');
        finish(message.page && running ? { page: message.page, answers: running.answers } : undefined);
      }
    });
    worker.on('error', (error) => {
      server.log.warn({ err: error }, 'Pages are sent without being drawn: the thread that draws them failed.');
      if (isCurrent()) endThread();
    });
    thread = started;
  };
  server.addHook('onClose', async () => endThread());

  return {
    mayDraw(request) {
      if (!isBuilt || request.method !== 'GET') return false;
      clearTimeout(idle);
      idle = setTimeout(endThread, idleTime).unref();
      if (!thread) startThread();
      return seemsSignedIn(request) && hasView(request) && thread!.sections.has(sectionOf(request));
    },
    draw(request, { nonce, settings }) {
      if (waiting.length >= maxWaiting) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const page: PageRequest = {
          origin: `${request.protocol}://${request.host}`,
          address: request.raw.url ?? '/',
          cookie: request.headers.cookie ?? '',
          nonce,
          settings,
        };
        const job: Job = { request, page, answers: {}, calls: 0, bytes: 0, isWanted: true, resolve };
        setTimeout(() => {
          job.isWanted = false;
          resolve(undefined);
        }, patience).unref();
        waiting.push(job);
        runNext();
      });
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
