import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOf } from '../../../test/plugins/builtin-telegram/bot-home.ts';
import { startFakeBotApi } from '../../../test/kit/telegram/fake-bot-api.ts';
import { openHome } from '../../kit/home.ts';
import { packageEntry } from '../../kit/installation.ts';
import { residentMemory, startProcess } from '../../kit/process.ts';

/** MB of a fresh `pegboard start` with all built-in plugins and no model, after a minute in which nothing happens. */
export async function measureIdleHost(): Promise<number> {
  await using telegram = await startFakeBotApi();
  using home = openHome();
  const environment = { ...process.env, ...environmentOf(telegram), HOME: home.folder };
  await using host = startProcess([packageEntry(), 'start', '--home', home.folder], environment);
  await host.printed(/running/);
  await sleep(60_000);
  return residentMemory(host.pid);
}
