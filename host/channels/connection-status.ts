import { pegboard } from '../core/own-command.ts';
import type { ConnectionStatus } from '../api/channels/driver.ts';
import type { DriverParts } from './driver-parts.ts';

/** Tells the owner how the connection of a channel is, and who may write. */
export function createConnectionStatus({
  name,
  title,
  driver,
  context,
  settings,
  allowed,
}: Pick<DriverParts, 'name' | 'title' | 'driver' | 'context' | 'settings' | 'allowed'>): ConnectionStatus {
  let isWorking = false;
  const describe = async (): Promise<void> => {
    const where = driver.contact === undefined ? 'connected' : `${driver.contact}, write to it`;
    if (settings.allow === 'everyone' || (await allowed.owner()) !== undefined)
      return context.report({ name: title, status: 'ok', message: where });
    context.report({
      name: title,
      status: 'warning',
      message: `${where}; nobody is paired yet, so it answers with a code`,
      fix: `${pegboard} ${name} pair CODE`,
    });
  };
  return {
    working() {
      if (isWorking) return;
      isWorking = true;
      describe().catch((cause: unknown) =>
        context.log.error('the list of people who may write could not be read', { cause }),
      );
    },
    failing(message, fix) {
      isWorking = false;
      context.report({ name: title, status: 'failed', message, ...(fix !== undefined && { fix }) });
    },
  };
}
