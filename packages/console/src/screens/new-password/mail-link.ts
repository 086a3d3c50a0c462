import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { CodeOwner } from '../../api/account.ts';
import type { SignInState } from '../../session/guards.ts';

/** What the link of a mail brings. */
export interface MailLink extends CodeOwner {
  code: string;
}

export const readMailLink = (search: string): MailLink => {
  const params = new URLSearchParams(search);
  const read = (name: string) => params.get(name) ?? '';
  return { code: read('code'), email: read('email'), username: read('username'), isAdmin: read('admin') === '1' };
};

/**
 * Reads the link that led here, and takes it out of the address: its code does not belong into the history. A sign-in here leads
 * to `returnTo`, without one to where the person belongs.
 */
export function useMailLink(returnTo?: SignInState['returnTo']): MailLink {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [link] = useState(() => readMailLink(search));
  const wantedState = returnTo ? { ...state, returnTo } : state;
  const isDone = search === '' && wantedState?.returnTo === state?.returnTo;
  useEffect(() => {
    if (!isDone) void navigate(pathname, { replace: true, state: wantedState });
  });
  return link;
}
