import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { pegboard } from '../core/own-command.ts';
import { readOwnFiles } from '../config.ts';
import type { Check, Diagnostic } from '../api/diagnostic.ts';
import type { RegisteredTool } from '../api/tool.ts';
import type { Host } from '../host.ts';
import { auditFileOf } from '../store/audit.ts';
import { serverOf } from '../tools/names.ts';
import { fingerprintOf } from '../tools/fingerprint.ts';
import { allowsAll, checkToolLists } from '../spaces/check-tool-lists.ts';
import { modulesOf } from '../spaces/known-modules.ts';
import { ok, warning } from '../status/check.ts';
import { parseJson } from '../core/documents/written-numbers.ts';
import { readRegularFile } from '../core/files/regular-file.ts';

/** Unused permissions are reported after this many days. */
const unusedDays = 30;
const dayMs = 86_400_000;
const maxNamed = 3;

/** Permissions that are not used, or that apply without asking. */
export function* checkPermitted(host: Host): Iterable<Check> {
  yield* approvals(host);
  const destructive = [...host.registry.snapshot.tools.values()].filter(
    ({ source, annotations, confirm }) =>
      source.kind === 'mcp' && annotations?.destructiveHint === true && confirm !== true,
  );
  yield* unasked(destructive);
  yield* agents(host, destructive);
  yield* untrusted(host);
  yield* rules(host);
}

/** Rules that allow calls, and rules that mean nothing. */
function* rules(host: Host): Iterable<Check> {
  const { config, spaces, home } = host;
  const ofAgents = spaces.all.flatMap((space) => space.agents).map(({ agent }) => agent.permissions);
  const sets = [config.permissions, ...config.permissions.agents.values(), ...ofAgents];
  const allowing = sets.flatMap((set) => set?.allow ?? []);
  if (allowing.length > 0)
    yield ok(
      'permissions',
      `calls that ${named(allowing.map(({ text }) => text))} allow${allowing.length === 1 ? 's' : ''} run without asking`,
    );
  for (const { message, path, line, hint } of ruleDiagnostics(host)) {
    const place = `${relative(home, path!)}:${line}`;
    yield warning('permissions', `${place}: ${message}`, hint ?? `${pegboard} lint`);
  }
}

/** What is wrong with the rules of pegboard.yaml. */
export function ruleDiagnostics({ home, registry }: Pick<Host, 'home' | 'registry'>): readonly Diagnostic[] {
  const { document, originOf } = readOwnFiles(home);
  const { snapshot } = registry;
  return document ? checkToolLists(document, snapshot, modulesOf(snapshot), originOf) : [];
}

function* approvals({ approvals, registry, home }: Host): Iterable<Check> {
  const given = approvals.list();
  if (given.length === 0) return;
  const lastUse = lastUses(home);
  for (const { tool, fingerprint, at } of given) {
    const registered = registry.snapshot.tools.get(tool);
    const days = Math.floor((Date.now() - Date.parse(lastUse.get(tool) ?? at)) / dayMs);
    const why = !registered
      ? 'the tool no longer exists'
      : fingerprintOf(registered) !== fingerprint
        ? 'the tool has changed since, and needs confirmation again'
        : days >= unusedDays
          ? `it may run without asking, and was not used for ${days} days`
          : undefined;
    if (why !== undefined) yield warning(`approval ${tool}`, why, `${pegboard} approvals revoke ${tool}`);
  }
}

/** When each tool ran last, as far back as the audit goes. */
function lastUses(home: string): ReadonlyMap<string, string> {
  const file = auditFileOf(home);
  const lines = [`${file}.1`, file]
    .filter(existsSync)
    .flatMap((path) => readRegularFile(path).toString('utf8').split('\n'));
  const last = new Map<string, string>();
  for (const line of lines) {
    try {
      const { tool, at, outcome } = parseJson(line) as { tool: string; at: string; outcome: string };
      if (outcome === 'ok') last.set(tool, at);
    } catch {
      // Cut short by a crash, or the empty one at the end.
    }
  }
  return last;
}

/** Tools that may be destructive according to their server. */
function* unasked(tools: readonly RegisteredTool[]): Iterable<Check> {
  for (const [server, own] of Map.groupBy(tools, ({ source }) => serverOf(source))) {
    const names = own.map(({ name }) => name);
    yield warning(
      `mcp ${server}`,
      `${named(names)} may destroy something, according to the server, and run${own.length === 1 ? 's' : ''} without asking`,
      `confirm: [${names.join(', ')}] in mcpServers.${server}`,
    );
  }
}

/** Agents whose own file names no modules, where there are destructive tools. */
function* agents({ spaces, home }: Host, destructive: readonly RegisteredTool[]): Iterable<Check> {
  if (destructive.length === 0) return;
  for (const { agent, document } of spaces.all.flatMap((space) => space.agents)) {
    if (!document || agent.modules) continue;
    yield warning(
      `agent ${agent.id}`,
      `may use every tool of every source, including ${named(destructive.map(({ id }) => id))}`,
      `name what it needs under tools.modules in ${relative(home, document.path)}`,
    );
  }
}

/** Tools that agents may use without asking even after reading what others wrote. */
function* untrusted({ spaces, home }: Host): Iterable<Check> {
  for (const { agent, document } of spaces.all.flatMap((space) => space.agents)) {
    const { id, allowUntrusted } = agent;
    if (!document || allowUntrusted.length === 0) continue;
    const what = `uses ${named(allowUntrusted)} without asking, even after it has read what others wrote`;
    const everything = allowUntrusted.find(allowsAll);
    yield everything === undefined
      ? ok(`agent ${id}`, what)
      : warning(
          `agent ${id}`,
          what,
          `name the tools in place of "${everything}" under allow_untrusted in ${relative(home, document.path)}`,
        );
  }
}

function named(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return more > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${more} more` : names.join(', ');
}
