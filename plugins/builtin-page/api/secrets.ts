import { PegboardError, type RegisteredTool } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { deleteSecret, describeSecrets, fingerprintOf, grantSecrets, revokeTool } from 'pegboard/home';
import { setSecret } from '../secrets/set-secret.ts';
import type { SecretChange, SecretList } from '../secrets/wire.ts';
import { toDiagnosticRow } from './diagnostic-row.ts';
import { requireProof, textIn, type ApiHandlers } from './handler.ts';

/** The names of secrets and what uses them. A value comes in once, and none goes out. */
export function secretHandlers(host: Host): ApiHandlers {
  return {
    'GET secrets': (): SecretList =>
      host.redactIn({
        secrets: describeSecrets(host),
        problems: host.secrets.diagnostics.map((one) => toDiagnosticRow(one, host.home)),
      }),
    'POST secret-set': (request): Promise<SecretChange> => {
      requireProof(request);
      const [name = ''] = request.path;
      return setSecret(name, textIn(request.body, 'value'), host);
    },
    'POST secret-delete': async (request): Promise<SecretChange> => {
      requireProof(request);
      const [name = ''] = request.path;
      const message = await deleteSecret(name, host);
      await host.reloadConfig();
      return { message, startedBefore: [] };
    },
    'POST secret-grant': async (request): Promise<SecretChange> => {
      requireProof(request);
      const tool = toolNamed(request.path[0] ?? '', host);
      if (fingerprintOf(tool) !== textIn(request.body, 'fingerprint'))
        throw new PegboardError('PEG_DENIED', 'The tool is not what was shown. Look at it again.');
      return { message: `${await grantSecrets(tool, host)}.`, startedBefore: [] };
    },
    'POST secret-revoke': async (request): Promise<SecretChange> => {
      requireProof(request);
      const { id } = toolNamed(request.path[0] ?? '', host);
      return { message: await revokeTool(id, host), startedBefore: [] };
    },
  };
}

/** Throws PEG_USAGE. */
function toolNamed(id: string, { registry }: Host): RegisteredTool {
  const tool = registry.snapshot.tools.get(id);
  if (!tool) throw new PegboardError('PEG_USAGE', `There is no tool "${id}" in this home any more.`);
  return tool;
}
