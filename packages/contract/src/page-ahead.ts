// What the server and the thread that draws pages of the console for it tell each other. The program of the thread is part of
// the console's build (console/src/app/ahead/thread.ts).

/** A page to draw. */
export interface PageRequest {
  origin: string;
  /** Path and query. */
  address: string;
  /** The header of the request. */
  cookie: string;
  /** The nonce of the page's content security policy. */
  nonce: string;
  /** What `/console.json` answers, as JSON. */
  settings: string;
}

/** To the thread: a page to draw, or the answer to a call; without an answer the call could not be made. */
export type ToDrawing = { draw: PageRequest } | { call: number; answer: CallAnswer | undefined };

/**
 * From the thread: which sections it draws pages of, once it can; a call of the API that the page begins with, a GET; the page,
 * empty where none can be drawn, with what went wrong.
 */
export type FromDrawing =
  | { sections: string[] }
  | { call: number; url: string; headers: Record<string, string> }
  | { page: string; fault?: string };

/** What a call of the API was answered. */
export interface CallAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The answers that come along with a page that was drawn, by address. */
export type AnswersAhead = Record<string, CallAnswer>;
