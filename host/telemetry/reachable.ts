import { once } from 'node:events';
import { connect } from 'node:net';

const ports: { readonly [protocol: string]: number } = { 'http:': 80, 'https:': 443 };

/**
 * Whether the address accepts connections. The exporter itself retries for seconds, too long for the end of a command.
 */
export async function isReachable(address: string, timeoutMs: number): Promise<boolean> {
  const url = URL.parse(address);
  if (!url) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(url.port) || (ports[url.protocol] ?? 80) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
