import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DrivenBrowser, DrivenTab, TabOptions } from './driven.ts';
import { isOutside } from './chromium.ts';

const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));

/** Why no Firefox can be started here: the reason for skipping a test. */
export const noFirefox: string | undefined =
  program === undefined ? 'no Firefox is installed (Debian: apt-get install firefox-esr)' : undefined;

const preferences: { readonly [name: string]: string | number | boolean } = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.systemAddon.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'security.sandbox.warn_unprivileged_namespaces': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** Drives the system's Firefox by WebDriver BiDi, the protocol that it speaks itself. `names` lead to this machine. */
export async function launchFirefox(names: readonly string[] = []): Promise<DrivenBrowser> {
  await using opening = new AsyncDisposableStack();
  const profile = await mkdtemp(join(tmpdir(), 'pegboard-firefox-'));
  opening.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  const all = { ...preferences, 'network.dns.localDomains': names.join(',') };
  const lines = Object.entries(all).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const child = spawn(program!, ['--headless', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  opening.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let said = '';
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString();
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
    if (found !== undefined) resolve(found);
  });
  child.once('close', () => reject(new Error(`Firefox has ended: ${said}`)));
  const bidi = opening.use(await connect(`${await address}/session`));
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
  const opened = opening.move();
  return {
    open: (url, options) => openTab(bidi, url, options),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function openTab(bidi: Bidi, url: string, { width = 1280, height = 800 }: TabOptions = {}) {
  const { context } = await bidi.send<{ readonly context: string }>('browsingContext.create', {
    type: 'tab',
  });
  await bidi.send('browsingContext.setViewport', { context, viewport: { width, height } });
  const errors: string[] = [];
  const outside: string[] = [];
  const { origin } = new URL(url);
  bidi.on('log.entryAdded', ({ source, level, text }) => {
    if ((source as { readonly context?: string }).context === context && level === 'error')
      errors.push(String(text));
  });
  bidi.on('network.beforeRequestSent', (event) => {
    const { url: asked } = event['request'] as { readonly url: string };
    if (event['context'] === context && isOutside(asked, origin)) outside.push(asked);
  });
  const tab: DrivenTab = {
    watched: { errors, outside },
    async goto(to) {
      await bidi.send('browsingContext.navigate', { context, url: to, wait: 'complete' });
    },
    async evaluate<T>(expression: string): Promise<T> {
      const { type, result, exceptionDetails } = await bidi.send<{
        readonly type: string;
        readonly result?: { readonly value?: string };
        readonly exceptionDetails?: { readonly text: string };
      }>('script.evaluate', {
        expression: `(async () => JSON.stringify([await (${expression})]))()`,
        target: { context },
        awaitPromise: true,
      });
      if (type === 'exception') throw new Error(exceptionDetails?.text);
      return (JSON.parse(result!.value!) as [T])[0];
    },
    async press(key) {
      const value = keys[key] ?? key;
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }));
      await bidi.send('input.performActions', {
        context,
        actions: [{ type: 'key', id: 'keyboard', actions }],
      });
    },
  };
  await tab.goto(url);
  return tab;
}

/** As WebDriver writes them. */
const keys: { readonly [name: string]: string } = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C' };

interface Bidi extends Disposable {
  /** Throws the browser's failure. */
  send<T>(method: string, params: object): Promise<T>;
  on(event: string, take: (params: { readonly [name: string]: unknown }) => void): void;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
}

async function connect(address: string): Promise<Bidi> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  const listeners = new Map<string, ((params: { readonly [name: string]: unknown }) => void)[]>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, message, method, params } = JSON.parse(String(data)) as Message;
    if (method !== undefined) for (const take of listeners.get(method) ?? []) take(params ?? {});
    const asked = id === undefined ? undefined : waiting.get(id);
    if (!asked) return;
    waiting.delete(id!);
    if (error === undefined) asked.resolve(result as never);
    else asked.reject(new Error(`${error}: ${message}`));
  });
  socket.addEventListener('close', () => {
    for (const asked of waiting.values()) asked.reject(new Error('Firefox has ended.'));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`${address} does not answer.`)));
  });
  return {
    async send(method, params) {
      const asked = Promise.withResolvers<never>();
      waiting.set(++last, asked);
      socket.send(JSON.stringify({ id: last, method, params }));
      return await asked.promise;
    },
    on: (event, take) => void listeners.set(event, [...(listeners.get(event) ?? []), take]),
    [Symbol.dispose]: () => socket.close(),
  };
}
