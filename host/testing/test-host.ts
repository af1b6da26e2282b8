import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { IncomingMessage, Reply } from '../api/conversation.ts';
import type { CallRequest } from '../api/dispatch.ts';
import type { ToolResult } from '../api/result.ts';
import { createHost } from '../create-host.ts';
import type { Host } from '../host.ts';
import { textOf } from '../tools/result.ts';
import type { Script } from './script.ts';
import { modelsOf, startScriptedModel, type ScriptedModel } from './scripted-model.ts';

export interface TestHostOptions {
  /** Folders of plugins to run, trusted: `import.meta.dirname` of one's own. */
  readonly plugins?: readonly string[];
  /** More files of the home, text by path: "spaces/s/agent/tools/greet.md". */
  readonly files?: { readonly [path: string]: string };
  /** The only variables that it sees. */
  readonly environment?: { readonly [name: string]: string };
  /** What the model of its agents says, request by request, where anything is said to them. */
  readonly model?: Script;
}

/** A complete host with a home in a temporary folder. Disposing removes the home and its approvals. */
export interface TestHost extends AsyncDisposable {
  readonly host: Host;
  /** Absolute. */
  readonly home: string;
  /** The model that its agents talk to. */
  readonly model: ScriptedModel;
  /** Calls a tool as the owner. Confirmations are declined unless `request` has an `ask`. */
  call(name: string, args?: object, request?: Partial<CallRequest>): Promise<ToolResult>;
  /** The text of the result. Throws the message of a failed one. */
  callText(name: string, args?: object, request?: Partial<CallRequest>): Promise<string>;
  /** A turn of the default agent, or of the one in `message`, in the terminal's conversation. */
  say(text: string, message?: Partial<IncomingMessage>): Promise<Reply>;
}

/** A whole host on a temporary home, which goes with it. Dispose it with `await using`. */
export async function openTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { plugins = [], files = {}, environment = {} } = options;
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await startScriptedModel(options.model));
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-test-')));
  opened.defer(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const stateFolder = mkdtempSync(join(tmpdir(), 'pegboard-test-state-'));
  opened.defer(() => rmSync(stateFolder, { recursive: true, force: true }));
  const settings = await withModel(files['pegboard.yaml'] ?? '', model);
  for (const [name, text] of Object.entries({ ...files, 'pegboard.yaml': settings })) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  for (const folder of plugins) cpSync(folder, join(home, 'plugins', basename(folder)), { recursive: true });
  const host = opened.use(
    await createHost({ home, environment, development: true, trustHome: true, stateFolder }),
  );
  const call: TestHost['call'] = (name, args = {}, request = {}) =>
    host.dispatch({ name, args, scope: host.scopeFor(undefined), caller: 'test', ...request });
  const owned = opened.move();
  return {
    host,
    home,
    model,
    call,
    async callText(name, args, request) {
      const result = await call(name, args, request);
      if (result.error) throw new Error(result.error.message);
      return textOf(result);
    },
    say: (text, message = {}) => host.converse({ source: 'cli', externalId: 'cli', text, ...message }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The text of a pegboard.yaml with the scripted model added. An invalid text is left unchanged. */
async function withModel(text: string, model: ScriptedModel): Promise<string> {
  const { isMap, parseDocument } = await import('yaml');
  const document = parseDocument(text);
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return text;
  const { default: name, providers } = modelsOf(model);
  if (!document.hasIn(['models', 'default'])) document.setIn(['models', 'default'], name);
  for (const [provider, settings] of Object.entries(providers))
    document.setIn(['models', 'providers', provider], document.createNode(settings));
  return document.toString();
}
