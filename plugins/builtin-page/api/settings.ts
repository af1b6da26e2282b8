import { join } from 'node:path';
import type { Check } from 'pegboard';
import type { Host } from 'pegboard/embed';
import {
  checkDatabase,
  checkHost,
  checkMcp,
  checkModel,
  checkSurroundings,
  checkTrust,
  resolverOf,
  variablesOf,
} from 'pegboard/home';
import { untilAborted } from 'pegboard/kit';
import { settingsOf } from '../settings/view.ts';
import type { Checked, CheckPart, SettingsView } from '../settings/wire.ts';
import { NotFound, type ApiHandlers, type ApiRequest } from './handler.ts';

/** Whether everything is well, and the configuration. Changes nothing of it. */
export function settingsHandlers(host: Host, stateFolder: string): ApiHandlers {
  const resolver = (): ((name: string) => string | undefined) => {
    const variables = variablesOf(host);
    return (name) => variables[name];
  };
  const parts: { readonly [part in CheckPart]: (request: ApiRequest) => Promise<readonly Check[]> } = {
    here: async () => [
      ...(await checkSurroundings(host.home, 'known', host.surroundings)),
      ...(await checkHost(host)),
    ],
    async servers({ body, signal }) {
      if (body['connect'] === true) await untilAborted(host.servers.settled(), signal);
      return await checkMcp(host, resolver());
    },
    trust: () => checkTrust(host),
    database: async ({ signal }) => [
      await checkDatabase(host.home, resolverOf(host.home, host.surroundings), signal),
    ],
    model: async ({ signal }) => [await checkModel(host, signal)],
  };
  return {
    'POST check': async (request): Promise<Checked> => {
      const [part = ''] = request.path;
      if (!Object.hasOwn(parts, part)) throw new NotFound();
      return { checks: host.redactIn(await parts[part as CheckPart](request)) };
    },
    'GET settings': async ({ session }): Promise<SettingsView> => ({
      about: {
        version: host.version,
        node: process.versions.node,
        home: host.home,
        data: join(host.home, 'data'),
        state: stateFolder,
        otherBrowsers: session.others(),
      },
      ...host.redactIn(await settingsOf(host)),
    }),
    'POST sign-out-others': ({ session }) => session.endOthers(),
  };
}
