import type { Deliver } from '../api/channels/channel.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { KnownFolders, KnownFoldersFor } from '../api/known-folders.ts';
import type { Sandbox } from '../api/sandbox.ts';
import { toFailure } from '../core/errors.ts';
import { strictest } from '../core/sandbox/rule.ts';
import type { AskOthers, RemoteAnswers } from '../dispatch/ask-everywhere.ts';
import { askDesktop } from '../dispatch/ask-desktop.ts';
import { chatOfCall } from '../dispatch/chat-of-call.ts';
import { createDispatch } from '../dispatch/dispatch.ts';
import { createJudgeFileRead, type JudgeFileRead } from '../dispatch/permissions/judge-file-read.ts';
import type { PermissionStore } from '../dispatch/permissions/offer-rules.ts';
import { createRehearse, type Rehearse } from '../dispatch/rehearse.ts';
import type { DispatchOptions } from '../dispatch/pipeline.ts';
import { createHookTable } from '../dispatch/hook-table.ts';
import { unknownHome } from '../home-trust.ts';
import { createJobAnnouncer, type JobAnnouncer } from '../meta/announce-jobs.ts';
import { createJobs, type Jobs } from '../meta/jobs.ts';
import { createAskChannels } from '../plugins/ask-channels.ts';
import { createDeliver } from '../plugins/deliver.ts';
import { hooksOf } from '../plugins/instance.ts';
import type { PluginSet } from '../plugins/plugin-set.ts';
import type { SpaceSet } from '../spaces/space-set.ts';
import { createAudit, timesAllowed } from '../store/audit.ts';
import { defaultOutputLength } from '../tools/output-limit.ts';
import { agentsOf } from '../tools/limits.ts';
import { failedResult } from '../tools/result.ts';
import { shownArguments } from '../tools/shown-arguments.ts';
import { createKnownFolders } from './known-folders.ts';
import type { Foundation } from './foundation.ts';
import type { FileChanges } from '../api/services/file-changes.ts';
import { fileChangesOf } from './provided/file-changes.ts';

/** How tools are run, for everybody. */
export interface Calls {
  readonly dispatch: Dispatch;
  readonly rehearse: Rehearse;
  readonly judgeFileRead: JudgeFileRead;
  /** Where the acting agent or owner may write. */
  readonly knownFoldersFor: KnownFoldersFor;
  /** Channels that are asked besides the caller. */
  readonly elsewhere: RemoteAnswers;
  /** Calls that run in the background. */
  readonly jobs: Jobs;
  readonly announcer: JobAnnouncer;
  readonly deliver: Deliver;
  readonly changes: FileChanges;
}

export interface CallsOptions {
  readonly plugins: PluginSet;
  readonly spaces: SpaceSet;
  /** The process ends after one command. */
  readonly oneShot: boolean;
  /** Applies a changed configuration. */
  readonly reloadConfig: () => Promise<void>;
}

/** What is opened is closed with `opened`. */
export function createCalls(
  foundation: Foundation,
  { plugins, spaces, oneShot, reloadConfig }: CallsOptions,
  opened: AsyncDisposableStack,
): Calls {
  const {
    home,
    reading,
    config,
    registry,
    redactor,
    questions,
    approvals,
    artifacts,
    fileOrigins,
    surroundings,
  } = foundation;
  const { resolve, whyUnset, log } = foundation;
  const instances = () => plugins.instances;
  const allChannels = () => instances().map(({ channels }) => channels);
  const knownFoldersFor = knownFoldersOf(foundation, plugins, spaces);

  const changes = fileChangesOf(plugins);

  const { clock } = surroundings;
  let hooks = createHookTable([], log, clock);
  const rebuildHooks = (): void => {
    const owners = [...instances().map(hooksOf), ...spaces.hooks];
    hooks = createHookTable(owners, log, clock);
  };
  opened.use(spaces.onChange(rebuildHooks));
  opened.use(plugins.onChange(rebuildHooks));

  const audit = opened.use(createAudit(home, log));
  const askChannels = createAskChannels(instances);
  const others: AskOthers = async (question, signal) => {
    await plugins.complete();
    return [askDesktop(question, surroundings, signal), ...askChannels(question, signal)];
  };
  const elsewhere = { questions, others };
  const options: DispatchOptions = {
    clock,
    audit,
    registry,
    hooks: () => hooks,
    approvals,
    elsewhere,
    artifacts,
    fileOrigins,
    addresses: foundation.addresses,
    changes,
    redactor,
    permissions: permissionStore(foundation, reloadConfig),
    confirmPolicy: () => config.current.config.confirm,
    provenanceRule: () => config.current.config.provenance,
    outputLimit: (takesLongTexts) =>
      config.current.config.outputLimit ?? (takesLongTexts ? Number.POSITIVE_INFINITY : defaultOutputLength),
    resolve,
    whyUnset,
    sandbox: (tool, scope, workplace) => {
      const ofSpaces = spaces.sandboxesOf(tool.source.module, agentsOf(scope));
      const sandbox = strictest([tool.sandbox, config.current.config.sandbox, ...ofSpaces], tool);
      return sandbox && plugins.complete().then(() => confined(sandbox, knownFoldersFor(scope, workplace)));
    },
    log,
  };
  const runCall = createDispatch(options);
  const dispatch: Dispatch = async (request) => {
    if (reading) return failedResult(toFailure('authorize', unknownHome(home, surroundings)));
    const result = await runCall(request);
    audit.flush();
    return result;
  };

  const deliver = createDeliver(allChannels, redactor);
  const announcer = opened.use(createJobAnnouncer({ store: foundation.jobs, deliver, log }));
  const jobs = opened.use(
    createJobs({
      dispatch,
      store: foundation.jobs,
      oneShot,
      toRecord: (tool, args) => {
        const find = (name: string) => registry.snapshot.find(name);
        const found = find(tool);
        return redactor.value(found ? shownArguments(found, args, find) : args);
      },
      log,
      chatOf(call) {
        const chat = chatOfCall(call);
        return allChannels().some((channels) => chat && Object.hasOwn(channels, chat.channel))
          ? chat
          : undefined;
      },
      onEnd: () => announcer.announce(),
    }),
  );
  const rehearse = createRehearse(options);
  const judgeFileRead = createJudgeFileRead(options);
  return { dispatch, rehearse, judgeFileRead, knownFoldersFor, elsewhere, jobs, announcer, deliver, changes };
}

const confined = async (
  rule: Omit<Sandbox, 'knownFolders'>,
  knownFolders: Promise<KnownFolders>,
): Promise<Sandbox> => ({ ...rule, knownFolders: await knownFolders });

const knownFoldersOf = (
  { home, surroundings, registry, config, resolve }: Foundation,
  plugins: CallsOptions['plugins'],
  spaces: CallsOptions['spaces'],
): KnownFoldersFor =>
  createKnownFolders({
    home,
    user: surroundings,
    registry,
    plugins: () => plugins.instances,
    agents: () => spaces.agents,
    agentFor: (id) => spaces.agentFor(id),
    servers: () => [...config.current.config.servers.values()].map((entry) => entry.config),
    resolve,
  });

const permissionStore = (
  { home, surroundings, config }: Foundation,
  reloadConfig: CallsOptions['reloadConfig'],
): PermissionStore => ({
  home,
  current: () => config.current.config.permissions,
  async allow(agent, rules) {
    const { addToConfigList } = await import('../write-config.ts');
    await addToConfigList(home, surroundings, ['permissions', 'agents', agent, 'allow'], rules);
    await reloadConfig();
  },
  timesAllowed: (call) => timesAllowed(home, call),
});
