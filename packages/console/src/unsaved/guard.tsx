// Asks before what is typed and not saved is lost. Everything one opens has an address, so one guard sees every navigation, the back
// button included. A router allows one blocker: all forms of the console share it.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { currentSession, currentToken } from '../api/index.ts';
import { text } from '../text/index.ts';
import { ask } from '../ui/index.ts';

/** The part of an address that a guard compares; `search` with or without the question mark. */
export interface Place {
  pathname: string;
  search: string;
}

/** The words of the question; those of the documents stay as they are. */
export interface LeaveQuestion {
  message: string;
  impact?: string;
}

/** A form that holds what is not saved. */
export interface UnsavedForm {
  /** While true, the browser asks too, before the page is closed. */
  isDirty: boolean;
  /** Whether going from one place to another loses something of it. Asked when someone leaves, before the last key may be rendered. */
  isLostBetween: (from: Place, to: Place) => boolean;
  question: () => LeaveQuestion;
  /** Saves what would be lost. False when that failed: the form says why, and one stays. Absent where there is nothing to save by. */
  save?: ((from: Place, to: Place) => Promise<boolean>) | undefined;
  /** Forgets what would be lost, once someone chose that. */
  discard?: ((from: Place, to: Place) => void) | undefined;
}

/**
 * Asks about unsaved changes: whether to leave. Staying has the focus, and Escape stays; the caller discards the
 * changes.
 */
export async function confirmLoss(
  question: LeaveQuestion,
  save: (() => Promise<boolean>) | undefined,
  discard: () => void = () => {},
): Promise<boolean> {
  const answer = await ask({
    ...question,
    danger: true,
    cancelLabel: text('common:confirm.stay'),
    confirmLabel: text('common:confirm.discard'),
    saveLabel: save && text('common:confirm.save'),
  });
  if (answer === 'save') return (await save?.()) ?? false;
  if (answer === 'yes') discard();
  return answer === 'yes';
}

/** What the guard knows of a form. */
type Registration = Omit<UnsavedForm, 'isDirty'> & { letPass: () => void };

const GuardContext = createContext<Set<Registration>>(new Set());

/** Stands once around all screens. Without a session nothing is asked: what was typed is kept as a draft. */
export function UnsavedGuard({ children }: { children: ReactNode }) {
  const [forms] = useState(() => new Set<Registration>());
  const from = useRef<Place>({ pathname: '', search: '' });
  /** What opened last is saved first: a pane before what it belongs to. */
  const lostForms = (to: Place) => [...forms].filter((form) => form.isLostBetween(from.current, to)).reverse();
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    from.current = currentLocation;
    return currentToken() !== null && lostForms(nextLocation).length > 0;
  });
  const questionFor = useRef<unknown>(null);
  useEffect(() => {
    // Saving and discarding render the page again before it is left: one question for each navigation is enough.
    if (blocker.state !== 'blocked' || questionFor.current === blocker.location) return;
    const { location } = blocker;
    questionFor.current = location;
    void leave(lostForms, from.current, location).then((isFree) => {
      if (questionFor.current !== location) return;
      if (isFree) blocker.proceed();
      else blocker.reset();
    });
  });
  return <GuardContext value={forms}>{children}</GuardContext>;
}

async function leave(lostForms: (to: Place) => Registration[], from: Place, to: Place): Promise<boolean> {
  const forms = lostForms(to);
  const [first] = forms;
  if (!first) return true;
  const saveAll = async () => {
    for (const form of forms) {
      // Saving one may have saved another with it.
      if (form.isLostBetween(from, to) && !(await form.save?.(from, to))) return false;
    }
    return true;
  };
  const discardAll = () => {
    for (const form of forms) form.discard?.(from, to);
  };
  return confirmLoss(first.question(), forms.every(({ save }) => save) ? saveAll : undefined, discardAll);
}

/**
 * Guards a form. Returns a function that lets the next navigation pass, for what has just been saved or is dropped on purpose.
 * What one person typed is neither asked about nor saved in the name of another, who signs in over the page.
 */
export function useUnsavedGuard(form: UnsavedForm): () => void {
  const forms = useContext(GuardContext);
  const [owner] = useState(() => currentSession()?.id);
  const latest = useRef({ form, passes: false });
  latest.current = { form, passes: false };
  const letPass = useCallback(() => {
    latest.current = { ...latest.current, passes: true };
  }, []);
  useEffect(() => {
    const registration: Registration = {
      isLostBetween: (from, to) =>
        !latest.current.passes && currentSession()?.id === owner && latest.current.form.isLostBetween(from, to),
      question: () => latest.current.form.question(),
      get save() {
        return (
          latest.current.form.save &&
          (async (from: Place, to: Place) => (await latest.current.form.save?.(from, to)) ?? false)
        );
      },
      discard: (from, to) => latest.current.form.discard?.(from, to),
      letPass,
    };
    forms.add(registration);
    return () => {
      forms.delete(registration);
    };
  }, [forms, owner, letPass]);
  const { isDirty } = form;
  useEffect(() => {
    if (!isDirty) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [isDirty]);
  return letPass;
}

/** Lets the next navigation pass every form, for what is dropped on purpose from outside of them. */
export function useLetAllPass(): () => void {
  const forms = useContext(GuardContext);
  return () => {
    for (const { letPass } of forms) letPass();
  };
}
