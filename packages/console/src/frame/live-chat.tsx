import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/client.ts';
import { sessionState, useEnvironment, useSession } from '../api/session-state.ts';
import { motion } from '../theme/tokens.ts';

/** Whether the setting `chat` is on; one that is missing is (CFG-051, NAV-049). */
export const isChatOn = (settings: readonly { name: string; value: unknown }[]): boolean =>
  settings.find(({ name }) => name === 'chat')?.value !== false;

/** Whose page has the chat; no script can be taken back, so the page that had one is loaded again without it. */
let chatOwner: number | undefined;

function load(script: string, owner: number): void {
  chatOwner = owner;
  const element = document.createElement('script');
  element.src = script;
  element.async = true;
  document.head.append(element);
  sessionState.subscribe(() => {
    const { session } = sessionState.get();
    if (session?.id !== owner || !session.is_sys_admin) window.location.reload();
  });
}

/** The live chat of administrators, where an operator has set one and it is not switched off (NAV-047, NAV-048). */
export function LiveChat() {
  const session = useSession();
  const script = useEnvironment().live_chat?.script;
  const admin = session?.is_sys_admin ? session.id : undefined;
  const { data, error } = useQuery({
    queryKey: ['system', 'custom', 'chat'],
    queryFn: async ({ signal }) =>
      (await api.get<{ resource: { name: string; value: unknown }[] }>('system/custom', { signal })).resource,
    enabled: script !== undefined && admin !== undefined,
  });
  // One that cannot be read is on (C-NAV-01).
  const isOn = error !== null || (data !== undefined && isChatOn(data));
  useEffect(() => {
    if (script === undefined || admin === undefined) return;
    if (isOn && chatOwner === undefined) load(script, admin);
    if (isOn || data === undefined || chatOwner === undefined) return;
    // The message that it is off is read first.
    const timer = setTimeout(() => window.location.reload(), motion.toast);
    return () => clearTimeout(timer);
  }, [script, admin, isOn, data]);
  return null;
}
