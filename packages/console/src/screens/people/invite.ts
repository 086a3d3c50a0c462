import { api } from '../../api/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import type { PeopleKind } from './person.ts';

/** Sends an invitation, again or for the first time, and tells how it went (PPL-053, PPL-060, OPEN-100). True when it was sent. */
export async function sendInvite(kind: PeopleKind, id: number): Promise<boolean> {
  try {
    await api.patch(`system/${kind}/${id}`, { query: { send_invite: true } });
    notify.success(text(`people:${kind}.invited`));
    return true;
  } catch (error) {
    notify.error(text(`people:${kind}.title`), error);
    return false;
  }
}
