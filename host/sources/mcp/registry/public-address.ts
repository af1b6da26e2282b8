/**
 * Suffixes of names that never lead to the public internet (RFC 6761, 6762, 8375, 9476), or that private networks use.
 */
const ownNetworks =
  /\.(?:alt|arpa|corp|home|internal|intranet|invalid|lan|local|localdomain|localhost|onion|private|test)$/;
/**
 * At least two labels, the last one of letters: neither an IP address nor the name of a machine in the local network.
 */
const publicName = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

/**
 * Why a publisher's address isn't allowed, if so. Only https to a name on the public internet is. A publisher must not
 * choose local addresses, and an IP address doesn't show who owns it.
 */
export function refusedAddress(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') return 'its address is not an https address';
  if (url.username !== '' || url.password !== '' || /^https:[/\\]*[^/\\?#]*@/i.test(address))
    return `its address contains a user name, and leads to ${url.host}`;
  const host = url.hostname.replace(/\.$/, '');
  if (!publicName.test(host) || ownNetworks.test(`.${host}`))
    return `its address leads to ${url.hostname}, which is not a public name`;
  return undefined;
}
