import type { Logger } from '../../../api/log.ts';
import { peerLogLevels, type Peer, type PeerLogLevel } from '../../../api/mcp/peer.ts';
import type { JsonObject } from '../../../api/result.ts';
import { visibleText } from '../../../core/foreign/visible-text.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';

const maxMessageLength = 2_000;

/** A log message of a server, into our log, and on to the client whose call runs. */
export function passLogMessage(params: JsonObject, log: Logger, peer: Pick<Peer, 'log'> | undefined): void {
  const level = peerLogLevels.find((known) => known === params['level']) ?? 'info';
  const { data, logger } = params;
  const text = typeof data === 'string' ? data : (toJson(data) ?? '');
  log[ourLevel(level)](visibleText(text).slice(0, maxMessageLength), {
    ...(typeof logger === 'string' && { logger }),
  });
  peer?.log(level, data, typeof logger === 'string' ? logger : undefined);
}

function ourLevel(level: PeerLogLevel): 'debug' | 'info' | 'warn' | 'error' {
  switch (level) {
    case 'debug':
      return 'debug';
    case 'info':
    case 'notice':
      return 'info';
    case 'warning':
      return 'warn';
    default:
      return 'error';
  }
}
