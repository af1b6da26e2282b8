import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import type { Clock } from '../../../host/api/surroundings.ts';
import type { Converse, IncomingMessage, Reply } from '../../../host/api/conversation.ts';
import { createHost } from '../../../host/create-host.ts';
import type { Host } from '../../../host/host.ts';
import { createHome, type TestHome } from './home.ts';
import {
  modelsOf,
  startScriptedModel,
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
} from '../../../host/testing/index.ts';

/** A home on disk, a host of it in this process, and the model that its agents talk to. */
export interface AgentHome extends AsyncDisposable {
  readonly home: TestHome;
  readonly model: ScriptedModel;
  readonly host: Host;
  readonly converse: Converse;
  /** In the terminal's conversation, unless `message` says otherwise. */
  say(text: string, message?: Partial<IncomingMessage>): Promise<Reply>;
}

/** `settings`: further settings under `models` in pegboard.yaml. */
export async function openAgentHome(
  script: Script,
  options: ScriptedModelOptions & {
    /** Whether the scripted model also provides embeddings. */
    readonly embeddings?: boolean;
    readonly files?: { readonly [file: string]: string };
    readonly settings?: object;
    /** Further settings of the scripted model's provider. */
    readonly provider?: object;
    /** Runs plugins of the home without trust. */
    readonly development?: boolean;
    /** Default: the machine's. */
    readonly clock?: Clock;
  } = {},
): Promise<AgentHome> {
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await startScriptedModel(script, options));
  const home = opened.use(
    await createHome({
      'pegboard.yaml': configFor(model, {
        ...(options.embeddings && { embeddings: { model: 'words', base_url: model.baseUrl } }),
        ...(options.provider && {
          providers: { scripted: { base_url: model.baseUrl, ...options.provider } },
        }),
        ...options.settings,
      }),
      ...options.files,
    }),
  );
  const environment = { PATH: process.env['PATH'], TIMEZONE: 'UTC' };
  const { development = false, clock } = options;
  const surroundings = { ...processSurroundings(), ...(clock && { clock }) };
  const host = opened.use(await createHost({ home: home.path, environment, surroundings, development }));
  const owned = opened.move();
  return {
    home,
    model,
    host,
    converse: host.converse,
    say: (text, message = {}) => host.converse({ source: 'cli', externalId: 'cli', text, ...message }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A pegboard.yaml whose only model is the scripted one. */
export function configFor(model: Pick<ScriptedModel, 'baseUrl'>, models: object = {}): string {
  return JSON.stringify({ models: { ...modelsOf(model), ...models } });
}
