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

/** A call of the API that a page begins with, a GET; the thread sends it by the port that comes with the page. */
export interface CallAhead {
  call: number;
  url: string;
  headers: Record<string, string>;
}

/** What comes back by the port; without an answer the call could not be made. */
export interface CallAheadAnswer {
  call: number;
  answer: CallAnswer | undefined;
}

/** What a call of the API was answered. */
export interface CallAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The answers that come along with a page that was drawn, by address. */
export type AnswersAhead = Record<string, CallAnswer>;
