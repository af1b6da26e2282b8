/** Ends of names that never lead to the public internet (RFC 6761, 6762, 8375, 9476), or that networks use as their own. */
const ownNetworks =
  /\.(?:alt|arpa|corp|home|internal|intranet|invalid|lan|local|localdomain|localhost|onion|private|test)$/;
/** At least two labels, the last of letters: no number, and no name of a machine next door. */
const publicName = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

/**
 * Why an address of a publisher isn't allowed, if so. Only https to a name on the public internet is. Local addresses
 * are not a publisher's to choose, and an IP address doesn't show whose it is.
 */
export function refusedAddress(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') return 'its address is no https address';
  if (url.username !== '' || url.password !== '' || /^https:[/\\]*[^/\\?#]*@/i.test(address))
    return `its address has a name of a user in it, and leads to ${url.host}`;
  const host = url.hostname.replace(/\.$/, '');
  if (!publicName.test(host) || ownNetworks.test(`.${host}`))
    return `its address leads to ${url.hostname}, which is no public name`;
  return undefined;
}
