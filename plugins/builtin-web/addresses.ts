import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether the address belongs to the public internet. Special ranges are refused: private, loopback, link-local (which
 * includes cloud metadata), shared, documentation, multicast. For IPv6 only global unicast is allowed, without embedded
 * IPv4 addresses and tunnels.
 */
export function isPublicAddress(address: string): boolean {
  // Short forms such as 1.2.3 are interpreted differently everywhere.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv6') {
    const global = ipaddr.IPv6.parseCIDR('2000::/3');
    return (
      parsed.match(global) && parsed.range() === 'unicast' && !tunnels.some((range) => parsed.match(range))
    );
  }
  return parsed.range() === 'unicast' && !notUnicast.some((range) => parsed.match(range));
}

/** Teredo and the rest of 2001::/23, documentation, 6to4, documentation of RFC 9637. */
const tunnels = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((cidr) =>
  ipaddr.IPv6.parseCIDR(cidr),
);

/** Special in IANA's registry, but missing from older tables. */
const notUnicast = [
  '192.0.0.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));
