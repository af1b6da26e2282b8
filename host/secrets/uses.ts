import { chooseModels, fullName, withPluginProviders } from '../agent/models/choice/choose.ts';
import { presetOf } from '../agent/models/choice/presets.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import type { Host } from '../host.ts';
import { defaultAgent } from '../status/default-agent.ts';
import { modelVariables, variablesOf } from '../status/model-names.ts';
import { writtenSettings } from '../status/written-settings.ts';
import { fingerprintOf } from '../tools/fingerprint.ts';
import type { Grant, SecretUse } from './described-secret.ts';
import { openGrants } from './grants.ts';
import { variablesIn } from './variables-in.ts';

interface Use {
  readonly variable: string;
  readonly use: SecretUse;
}

type Resolve = (name: string) => string | undefined;

/** Everything in a home that names a variable or a secret, as far as the host knows it: code may read others. */
export function* usesIn(host: Host): Iterable<Use> {
  const variables = variablesOf(host);
  const resolve: Resolve = (name) => variables[name];
  const grantOf = openGrants(host);
  for (const tool of host.registry.snapshot.tools.values()) yield* ofTool(tool, grantOf);
  yield* ofServers(host, resolve);
  yield* ofSettings(host, resolve);
  yield* ofModules(host, resolve);
  yield* ofPlugins(host, resolve);
  yield* ofModels(host);
}

function* ofTool(tool: RegisteredTool, grantOf: (tool: RegisteredTool) => Grant): Iterable<Use> {
  const secrets = tool.secrets?.() ?? [];
  const unset = tool.unset?.() ?? [];
  if (secrets.length + unset.length === 0) return;
  const { id: name, command: runs } = tool;
  const fingerprint = fingerprintOf(tool);
  const grant = { state: grantOf(tool), secrets, fingerprint, ...(runs !== undefined && { runs }) };
  for (const variable of new Set([...secrets, ...unset])) {
    const isMissing = unset.includes(variable);
    const isSecret = secrets.includes(variable);
    yield { variable, use: { kind: 'tool', name, isMissing, ...(isSecret && { grant }) } };
  }
}

function* ofServers({ config }: Host, resolve: Resolve): Iterable<Use> {
  for (const [name, { config: entry }] of config.servers) {
    const { named, missing } = variablesIn(entry, resolve);
    for (const variable of named) {
      const isMissing = entry.enabled !== false && missing.includes(variable);
      yield { variable, use: { kind: 'server', name, isMissing } };
    }
  }
}

/** But those of servers, which may be in further files. */
function* ofSettings({ home }: Host, resolve: Resolve): Iterable<Use> {
  for (const { path, value, file, line } of writtenSettings(home)) {
    if (path[0] === 'mcpServers') continue;
    const { named, missing } = variablesIn(value, resolve);
    const setting = { kind: 'setting', name: path.join('.'), place: `${file}:${line}` } as const;
    for (const variable of named)
      yield { variable, use: { ...setting, isMissing: missing.includes(variable) } };
  }
}

/** The secret that an agent's file names for the tools of a module. */
function* ofModules({ spaces }: Host, resolve: Resolve): Iterable<Use> {
  for (const { id, modules } of spaces.agents)
    for (const { credential } of modules?.values() ?? []) {
      if (credential === undefined) continue;
      const isMissing = (resolve(credential) ?? '') === '';
      yield { variable: credential, use: { kind: 'agent', name: id, isMissing } };
    }
}

function* ofPlugins({ plugins }: Host, resolve: Resolve): Iterable<Use> {
  for (const { manifest, state } of plugins.states) {
    const { env = [], secrets = [], optional = [] } = manifest.requires;
    for (const variable of new Set([...secrets, ...env, ...optional])) {
      // A variable that it wants from the environment can't be stored.
      const isNeeded = state !== 'disabled' && secrets.includes(variable);
      const isMissing = isNeeded && (resolve(variable) ?? '') === '';
      yield { variable, use: { kind: 'plugin', name: manifest.id, isMissing } };
    }
  }
}

/** Keys of providers that have a variable of their own. Those of others are settings. */
function* ofModels(host: Host): Iterable<Use> {
  const variables = modelVariables(host);
  const ofOwn = host.plugins.instances.flatMap(({ models }) => Object.keys(models));
  const config = withPluginProviders(host.config.models, ofOwn);
  const seen = new Set<string>();
  const answering = defaultAgent(host);
  for (const { id, brain } of [...(answering ? [answering] : []), ...host.spaces.agents]) {
    for (const one of namedBy(id, () => chooseModels(brain, config, variables))) {
      const key = `${one.variable} ${one.use.kind} ${one.use.name}`;
      if (!seen.has(key)) yield one;
      seen.add(key);
    }
  }

  function* namedBy(agent: string, choose: () => ReturnType<typeof chooseModels>): Iterable<Use> {
    try {
      for (const model of choose()) {
        const variable = presetOf(model.provider.id)?.keyVariable;
        if (variable === undefined || config.providers?.[model.provider.id]?.api_key !== undefined) continue;
        yield { variable, use: { kind: 'model', name: fullName(model), isMissing: false } };
      }
    } catch (cause) {
      const { variable } = ((cause instanceof PegboardError && cause.data) || {}) as { variable?: unknown };
      if (typeof variable === 'string')
        yield { variable, use: { kind: 'agent', name: agent, isMissing: true } };
    }
  }
}
