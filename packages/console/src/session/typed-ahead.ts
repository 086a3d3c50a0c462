// What somebody typed into the sign-in page that came with the answer (app/ahead/sign-in-page.tsx), before the living one is there.

interface TypedAhead {
  name: string;
  password: string;
  hasPasswordFocus: boolean;
  /** They pressed Enter or the button already; `public/first.js` has kept the browser from sending the form itself. */
  isSubmitted: boolean;
}

let typedAhead: TypedAhead | null = null;

/** Whether the page came with one in it that was drawn before. */
export const hasPageAhead = (root: HTMLElement): boolean => root.querySelector('[data-ahead]') !== null;

/** Reads what was typed, just before the page is replaced. */
export const keepTyped = (root: HTMLElement): void => {
  const form = root.querySelector<HTMLFormElement>('[data-ahead] form');
  const [name, password] = form?.querySelectorAll('input') ?? [];
  if (!form || !name || password?.type !== 'password') return;
  typedAhead = {
    name: name.value,
    password: password.value,
    hasPasswordFocus: document.activeElement === password,
    isSubmitted: form.dataset.submitted !== undefined,
  };
};

/** What was typed, until the form that shows it forgets it. */
export const whatWasTyped = (): TypedAhead | null => typedAhead;
export const forgetTyped = (): void => {
  typedAhead = null;
};
