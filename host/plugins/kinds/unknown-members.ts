import type { HookName, Hooks, Hook, HookSet } from '../../api/hooks.ts';
import type { Channel } from '../../api/channels/channel.ts';
import type { Check } from '../../api/diagnostic.ts';
import type { ModelProvider } from '../../api/model.ts';
import type { Contributions, Service } from '../../api/plugin.ts';
import type { TurnHooks } from '../../api/conversation.ts';
import type { Tool, ToolAnnotations, ToolExample } from '../../api/tool.ts';
import { unknownMembers, type MembersOf, type UnknownMember } from '../../core/documents/unknown-members.ts';

const toolMembers: MembersOf<Tool> = {
  name: true,
  title: true,
  description: true,
  parameters: true,
  outputSchema: true,
  annotations: true,
  icons: true,
  execution: true,
  category: true,
  tags: true,
  aliases: true,
  sameAs: true,
  examples: true,
  icon: true,
  command: true,
  documentation: true,
  meta: true,
  timeout: true,
  pausesTurnTimeout: true,
  confirm: true,
  permission: true,
  guarded: true,
  secrets: true,
  unset: true,
  untrusted: true,
  tracksOrigins: true,
  relays: true,
  recordsChanges: true,
  sandbox: true,
  fingerprint: true,
  origin: true,
  mentions: true,
  innerCalls: true,
  validateArguments: true,
  preservesNumbers: true,
  fillDefaults: true,
  prepare: true,
  execute: true,
};

const annotationMembers: MembersOf<ToolAnnotations> = {
  title: true,
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};

const exampleMembers: MembersOf<ToolExample> = { input: true, output: true };

/** MCP defines no other. */
const executionMembers = { taskSupport: true } as const;

const serviceMembers: MembersOf<Service> = { name: true, start: true };

const channelMembers: MembersOf<Channel> = {
  deliver: true,
  take: true,
  ask: true,
  ownerChat: true,
  identity: true,
};

const providerMembers: MembersOf<ModelProvider> = { open: true, list: true };

const checkMembers: MembersOf<Check> = { name: true, status: true, message: true, fix: true };

const hookMembers: MembersOf<Hooks> = { preValidate: true, preTool: true, postTool: true };

const turnHookMembers: MembersOf<TurnHooks> = { message: true, history: true, preTurn: true, postTurn: true };

const hookOptionMembers: MembersOf<Exclude<Hook, Hooks[HookName]>> = {
  order: true,
  tools: true,
  timeout: true,
  handler: true,
};

/** An unknown member, and the object that has it: "its contributions". "have" goes with plurals. */
export interface FoundMember extends UnknownMember {
  readonly owner: string;
  readonly verb: 'has' | 'have';
}

/** `known`: the kinds of contributions. */
export const inContributions = (
  contributions: Contributions,
  known: Readonly<Record<string, true>>,
): Iterable<FoundMember> => within('its contributions', contributions, known, 'have');

export const inTurn = (turn: object): Iterable<FoundMember> =>
  within('its turn hooks', turn, turnHookMembers, 'have');

export function* inHooks(hooks: HookSet): Iterable<FoundMember> {
  yield* within('its hooks', hooks, hookMembers, 'have');
  for (const [name, given] of Object.entries(hooks))
    for (const hook of [given].flat())
      if (typeof hook === 'object') yield* within(`its hook ${name}`, hook, hookOptionMembers);
}

export function* inServices(services: readonly Service[]): Iterable<FoundMember> {
  for (const [index, service] of services.entries())
    yield* within(`its service ${service?.name ?? index + 1}`, service, serviceMembers);
}

// A channel or provider may be an object of a class, with members of its own.
export function* inChannels(channels: NonNullable<Contributions['channels']>): Iterable<FoundMember> {
  for (const [name, channel] of Object.entries(channels))
    if (isPlain(channel)) yield* within(`its channel ${name}`, channel, channelMembers);
}

export function* inProviders(providers: NonNullable<Contributions['models']>): Iterable<FoundMember> {
  for (const [name, provider] of Object.entries(providers))
    if (isPlain(provider)) yield* within(`its model provider ${name}`, provider, providerMembers);
}

/** Unknown members of a tool and its annotations. */
export function* unknownInTool(tool: Tool): Iterable<FoundMember> {
  const owner = `the tool ${JSON.stringify(tool.name)}`;
  yield* within(owner, tool, toolMembers);
  yield* within(`the annotations of ${owner}`, tool.annotations, annotationMembers, 'have');
  yield* within(`the execution of ${owner}`, tool.execution, executionMembers);
  if (!Array.isArray(tool.examples)) return;
  for (const [index, example] of tool.examples.entries())
    yield* within(`example ${index + 1} of ${owner}`, example, exampleMembers);
}

/** Unknown members of a check that `checks` returned. */
export const unknownInCheck = (check: Check): Iterable<FoundMember> =>
  within(`its check ${JSON.stringify(check.name)}`, check, checkMembers);

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function* within(
  owner: string,
  value: unknown,
  known: Readonly<Record<string, true>>,
  verb: 'has' | 'have' = 'has',
): Iterable<FoundMember> {
  if (typeof value !== 'object' || value === null) return;
  for (const found of unknownMembers(value, known)) yield { owner, verb, ...found };
}
