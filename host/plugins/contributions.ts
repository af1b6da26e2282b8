import type { Diagnostic } from '../api/diagnostic.ts';
import type { HookSet } from '../api/hooks.ts';
import type { Contributions } from '../api/plugin.ts';
import type { Tool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import { shapeProblem } from '../core/documents/schema.ts';
import type { PluginManifest } from './loading/manifest.ts';
import { wrongType } from './tool-types.ts';
import { unknownContributions, unknownInTool, type FoundMember } from './unknown-members.ts';

export interface CheckedContributions {
  readonly packs: readonly { readonly name: string; readonly tools: readonly Tool[] }[];
  readonly hooks: HookSet;
  readonly turn: NonNullable<Contributions['turn']>;
  readonly services: NonNullable<Contributions['services']>;
  readonly channels: NonNullable<Contributions['channels']>;
  readonly models: NonNullable<Contributions['models']>;
  readonly commands: NonNullable<Contributions['commands']>;
  readonly roots: NonNullable<Contributions['roots']>;
  readonly mentions: NonNullable<Contributions['mentions']>;
  readonly checks: NonNullable<Contributions['checks']>;
  readonly onSecretScrubbed: NonNullable<Contributions['onSecretScrubbed']>;
  readonly moving: NonNullable<Contributions['moving']>;
  readonly diagnostics: readonly Diagnostic[];
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Checks what `setup` returned. An invalid tool is left out with a diagnostic. An unknown member is reported and ignored:
 * members are optional, so a misspelled one would otherwise have no effect without anybody noticing.
 */
export function checkContributions(
  manifest: PluginManifest,
  contributions: Contributions,
): CheckedContributions {
  if (typeof contributions !== 'object') {
    throw new PegboardError(
      'PEG_CONFIG',
      `setup of ${manifest.id} returned ${typeof contributions}: return { packs, hooks } or nothing.`,
    );
  }
  requireCallable(manifest.id, contributions);
  const diagnostics: Diagnostic[] = [];
  const report = (code: string, message: string, hint?: string, path = manifest.path): void => {
    diagnostics.push({ severity: 'error', code, message, path, ...(hint !== undefined && { hint }) });
  };
  const reportUnknown = ({ owner, verb, name, nearest: near }: FoundMember, path?: string): void =>
    report(
      'unknown-member',
      `plugin ${manifest.id}: ${owner} ${verb} an unknown member "${name}", which is ignored`,
      near === undefined ? undefined : `${name} → ${near}?`,
      path,
    );
  for (const found of unknownContributions(contributions)) reportUnknown(found);
  const packs = Object.entries(contributions.packs ?? {}).flatMap(([name, entries]) => {
    if (!Object.hasOwn(manifest.packs, name)) {
      const [near] = nearest(name, Object.keys(manifest.packs));
      report(
        'undeclared-pack',
        `the plugin brings a pack "${name}" that its plugin.yaml doesn't declare, so its tools are left out`,
        near === undefined ? `declare it under packs:` : `${name} → ${near}?`,
      );
      return [];
    }
    const seen = new Set<string>();
    const tools = entries.filter((tool): tool is Tool => {
      if (!tool) return false;
      const problem = seen.has(tool.name)
        ? 'its name is taken by another of the pack'
        : (problemOf(tool) ?? undeclared(tool, manifest.packs[name]!.tools));
      if (problem === undefined) seen.add(tool.name);
      else
        report(
          'invalid-tool',
          `the tool ${JSON.stringify(tool.name)} of pack ${name} is left out: ${problem}`,
        );
      // Only a file of a space names its own tools' file.
      for (const found of unknownInTool(tool)) reportUnknown(found, manifest.dynamic && tool.origin);
      return problem === undefined;
    });
    return [{ name, tools: tools.map((tool) => ({ origin: manifest.folder, ...tool })) }];
  });
  const { hooks = {}, turn = {}, services = [], channels = {}, models = {}, commands = {} } = contributions;
  const {
    checks = () => [],
    onSecretScrubbed = () => {},
    moving = {},
    roots = () => [],
    mentions = () => [],
  } = contributions;
  for (const name of Object.keys(commands)) {
    if (Object.hasOwn(manifest.commands, name)) continue;
    report(
      'undeclared-command',
      `the plugin brings a command "${name}" that its plugin.yaml doesn't declare, so it can't be called`,
      'declare it under commands:',
    );
  }
  return {
    packs,
    hooks,
    turn,
    services,
    channels,
    models,
    commands,
    roots,
    mentions,
    checks,
    onSecretScrubbed,
    moving,
    diagnostics,
  };
}

/** Refuses a plugin with a part that can't do its work. Without a broken guard, for one, calls would go unguarded. */
function requireCallable(plugin: string, { hooks, turn, services, channels, models }: Contributions): void {
  const require = (what: string, value: unknown, form: string): void => {
    if (typeof value === 'function') return;
    throw new PegboardError('PEG_CONFIG', `${what} of the plugin ${plugin} is broken: write ${form}.`);
  };
  const member = (value: unknown, name: string): unknown =>
    (value as { readonly [name: string]: unknown } | null | undefined)?.[name];
  const handlerOf = (hook: unknown): unknown => (typeof hook === 'function' ? hook : member(hook, 'handler'));
  for (const [name, given] of Object.entries(hooks ?? {}))
    for (const hook of given === undefined ? [] : [given].flat())
      require(`The hook ${name}`, handlerOf(hook), 'a function, or an object with a function "handler"');
  for (const [name, hook] of Object.entries(turn ?? {}))
    if (hook !== undefined) require(`The turn hook ${name}`, hook, 'a function');
  for (const [index, service] of (services ?? []).entries())
    require(`Service ${index + 1}`, member(service, 'start'), 'an object with a function "start"');
  for (const [name, channel] of Object.entries(channels ?? {}))
    require(`The channel ${name}`, member(channel, 'deliver'), 'an object with a function "deliver"');
  for (const [name, provider] of Object.entries(models ?? {}))
    require(`The model provider ${name}`, member(provider, 'open'), 'an object with a function "open"');
}

const undeclared = ({ name }: Tool, declared: readonly string[] | undefined): string | undefined =>
  declared === undefined || declared.includes(name)
    ? undefined
    : 'the tools: of its pack in plugin.yaml do not list it';

function problemOf(tool: Tool): string | undefined {
  if (typeof tool.name !== 'string' || !toolName.test(tool.name))
    return 'a name has 1 to 64 of the characters A-Z a-z 0-9 _ -';
  if (typeof tool.description !== 'string' || tool.description.trim() === '') return 'it has no description';
  if (typeof tool.execute !== 'function') return 'it has no execute function';
  const wrong = wrongType(tool);
  if (wrong !== undefined) return wrong;
  const problem = shapeProblem(tool.parameters);
  return problem === undefined ? undefined : `its parameters are not a JSON Schema of an object: ${problem}`;
}
