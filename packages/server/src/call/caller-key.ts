// Whose share a call uses where callers share something: memory, slots of databases, searches of the store, threads.
import type { Caller } from './call.ts';

/** The person who calls, else those who call from one network with one key. Opaque. */
export function callerKey({ caller: { user, app }, ip }: { caller: Caller; ip: string | null }): string {
  return user ? `user ${user.id}` : `app ${app?.id ?? ''} ${networkOf(ip ?? '')}`;
}

/** One caller of IPv6 has a whole /64 of addresses to fail from; an IPv4 address written as IPv6 is that address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.replace(/%.*$/, '').toLowerCase();
  const [head = '', tail] = bare.split('::');
  const groupsIn = (text: string) => (text === '' ? [] : text.split(':').flatMap(hexGroups));
  const [leading, trailing] = [groupsIn(head), groupsIn(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - leading.length - trailing.length)).fill('0');
  const groups = [...leading, ...zeros, ...trailing].map((group) => group.replace(/^0+(?=.)/, ''));
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? toDottedAddress(groups.slice(6)) : groups.slice(0, 4).join(':');
}

/** The groups of a piece of an address, whose last may be written like IPv4. */
function hexGroups(piece: string): string[] {
  if (!piece.includes('.')) return [piece];
  const [a = 0, b = 0, c = 0, d = 0] = piece.split('.').map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}

const toDottedAddress = (groups: string[]): string =>
  groups
    .flatMap((group) => {
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 255];
    })
    .join('.');
