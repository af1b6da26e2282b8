import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { CallRequest } from '../api/dispatch.ts';
import type { ToolResult } from '../api/result.ts';
import { createHost, type Host } from '../host.ts';
import { textOf } from '../tools/result.ts';

export interface TestHostOptions {
  /** Folders of plugins to run, trusted: `import.meta.dirname` of one's own. */
  readonly plugins?: readonly string[];
  /** More files of the home, text by path: "spaces/s/agent/tools/greet.md". */
  readonly files?: { readonly [path: string]: string };
  /** The only variables that it sees. */
  readonly environment?: { readonly [name: string]: string };
}

/** A whole host on a home in a temporary folder, gone when disposed. */
export interface TestHost extends AsyncDisposable {
  readonly host: Host;
  /** Absolute. */
  readonly home: string;
  /** Dispatches as the owner; nobody is there to confirm unless `request` brings an `ask`. */
  call(name: string, args?: object, request?: Partial<CallRequest>): Promise<ToolResult>;
  /** The text of the result. Throws the message of a failed one. */
  callText(name: string, args?: object, request?: Partial<CallRequest>): Promise<string>;
}

export async function openTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { plugins = [], files = {}, environment = {} } = options;
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-test-')));
  const remove = (): void => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  for (const [name, text] of Object.entries({ 'pegboard.yaml': '', ...files })) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  for (const folder of plugins) cpSync(folder, join(home, 'plugins', basename(folder)), { recursive: true });
  let host: Host;
  try {
    host = await createHost({ home, environment, development: true });
  } catch (cause) {
    remove();
    throw cause;
  }
  const call: TestHost['call'] = (name, args = {}, request = {}) =>
    host.dispatch({ name, args, scope: host.scopeFor(undefined), caller: 'test', ...request });
  return {
    host,
    home,
    call,
    async callText(name, args, request) {
      const result = await call(name, args, request);
      if (result.error) throw new Error(result.error.message);
      return textOf(result);
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      remove();
    },
  };
}
