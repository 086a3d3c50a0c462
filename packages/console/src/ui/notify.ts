import { text } from '../text/index.ts';
import { describeError } from './describe-error.ts';
import { createStore, useStore } from './store.ts';

export interface Notice {
  id: number;
  kind: 'success' | 'error' | 'info';
  title: string;
  messages: string[];
  requestId: string | null;
  status: number | null;
  code: number | string | null;
  /** The service whose database failed. */
  serviceId: number | null;
  at: Date;
}

interface Notices {
  /** On screen now, oldest first. */
  toasts: Notice[];
  /** Errors, newest first, until they are cleared or the page is left. */
  tray: Notice[];
  /** How many of the tray have not been looked at. */
  unseen: number;
}

const maxToasts = 4;
const maxNotices = 50;

export const notices = createStore<Notices>({ toasts: [], tray: [], unseen: 0 });
export const useNotices = (): Notices => useStore(notices);

let lastId = 0;

const addNotice = (notice: Omit<Notice, 'id' | 'at'>) => {
  const { toasts, tray, unseen } = notices.get();
  const added = { ...notice, id: ++lastId, at: new Date() };
  const isError = notice.kind === 'error';
  // Two calls of a page that fail alike are one thing to a person: the second notice replaces the first.
  const repeated = toasts.find((toast) => isSameNotice(toast, notice));
  const withoutRepeated = (list: Notice[]) => list.filter((notice) => notice.id !== repeated?.id);
  notices.set({
    toasts: [...withoutRepeated(toasts), added].slice(-maxToasts),
    tray: isError ? [added, ...withoutRepeated(tray)].slice(0, maxNotices) : tray,
    unseen: isError && !repeated ? Math.min(unseen + 1, maxNotices) : unseen,
  });
};

const isSameNotice = (a: Notice, b: Omit<Notice, 'id' | 'at'>) =>
  a.kind === b.kind && a.title === b.title && a.messages.join('\n') === b.messages.join('\n');

/** A call that its caller gave up on purpose: there is no message. */
const isGivenUp = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** Toasts: they leave after 3 s, later while hovered or focused; errors also go into the tray of notices. */
export const notify = {
  success: (message: string, title = ''): void =>
    addNotice({
      kind: 'success',
      title,
      messages: [message],
      requestId: null,
      status: null,
      code: null,
      serviceId: null,
    }),
  info: (message: string, title = ''): void =>
    addNotice({ kind: 'info', title, messages: [message], requestId: null, status: null, code: null, serviceId: null }),
  /** `title` is the section's name, or empty for "Api Error"; `error` anything thrown, or a sentence. */
  error: (title: string, error: unknown): void => {
    if (isGivenUp(error)) return;
    addNotice({ kind: 'error', title: title || text('common:apiError'), ...describeError(error) });
  },
};

export const closeToast = (id: number): void => {
  const current = notices.get();
  notices.set({ ...current, toasts: current.toasts.filter((toast) => toast.id !== id) });
};

export const markSeen = (): void => notices.set({ ...notices.get(), unseen: 0 });
export const clearNotices = (): void => notices.set({ ...notices.get(), tray: [], unseen: 0 });

/** A notice as one pastes it into a mail: when, what, why, and the ids that help to find it. */
export const noticeDetails = (notice: Notice): string =>
  [
    notice.at.toISOString(),
    notice.title,
    ...notice.messages,
    notice.status && `HTTP ${notice.status}`,
    notice.code !== null && notice.code !== notice.status && `${text('common:codeLabel')} ${notice.code}`,
    notice.requestId && `${text('common:requestId')} ${notice.requestId}`,
  ]
    .filter(Boolean)
    .join('\n');
