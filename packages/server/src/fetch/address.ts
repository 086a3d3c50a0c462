// Which addresses of the network are fetched from for callers: public ones, and what SLUICE_FETCH_PRIVATE names.
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { PrivateTargets } from '../settings/index.ts';

/** All of IPv6 that is given out to networks; the special parts of it are known to `ipaddr.js`. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/** Whether an address is on the public network, and not one of this machine. */
export function isPublicAddress(text: string): boolean {
  // An IPv4 address inside an IPv6 one is judged as what it is.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || (address.kind() === 'ipv6' && !address.match(globalIpv6))) return false;
  return !Object.values(networkInterfaces()).some((list) =>
    list?.some((own) => ipaddr.process(own.address).toString() === address.toString()),
  );
}

/** Whether an address may be connected to, that was found under a host name or is one itself. */
export function isAllowedAddress(text: string, host: string, targets: PrivateTargets): boolean {
  if (targets === true || targets.includes(host)) return true;
  const address = ipaddr.process(text);
  const isNamed = targets.some((target) => {
    if (!ipaddr.isValidCIDR(target)) return ipaddr.isValid(target) && matches(address, ipaddr.parse(target));
    const [network, bits] = ipaddr.parseCIDR(target);
    return address.kind() === network.kind() && address.match([network, bits]);
  });
  return isNamed || isPublicAddress(text);
}

const matches = (a: ipaddr.IPv4 | ipaddr.IPv6, b: ipaddr.IPv4 | ipaddr.IPv6) =>
  a.kind() === b.kind() && a.toString() === b.toString();
