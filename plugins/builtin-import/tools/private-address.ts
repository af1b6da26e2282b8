import ipaddr from 'ipaddr.js';

/** A note for each server that is this machine or lies in a network of its own, by its address or name. */
export function privateAddressNotes(addresses: Iterable<string>): readonly string[] {
  const hosts = new Set(
    [...addresses].flatMap((address) => {
      const url = URL.parse(address);
      return url && isPrivate(url.hostname.replace(/^\[|\]$/g, '')) ? [url.host] : [];
    }),
  );
  return [...hosts].map((host) => `requests go to ${host}, on this machine or in a private network`);
}

const isPrivate = (host: string): boolean =>
  ipaddr.isValid(host)
    ? ipaddr.process(host).range() !== 'unicast'
    : !host.includes('.') || /\.(?:local|localhost|internal|lan|home|corp|home\.arpa)$/i.test(host);
