import { relative } from 'node:path';
import { readProject } from '../../agent/project-text.ts';
import { pendingIn } from '../../approvals/pending-in-host.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { plural } from '../../core/text/plural.ts';
import { shortTime } from '../../core/text/short-time.ts';
import type { Host } from '../../host.ts';
import { callable } from '../../tools/access.ts';
import { workplaceAt } from '../../workplace.ts';
import type { Context } from '../command.ts';
import type { Partner } from './chat/partner.ts';
import { terminalKey } from './chat/own-conversation.ts';
import { oneLine } from '../terminal/safe.ts';
import type { Surface } from '../terminal/terminal.ts';
import { truncate } from '../terminal/width.ts';

/** Shown above the first line: the home, who answers, and what can be typed. */
export function greet(host: Host, { terminal }: Context, partner: Partner): void {
  const { err } = terminal;
  const { style } = err;
  const servers = host.servers.all.length;
  const counts = [
    plural(callable(host.registry.snapshot).length, 'tool'),
    ...(servers === 0 ? [] : [plural(servers, 'MCP server')]),
  ].join(', ');
  err.line(`${style.title('Pegboard')} ${host.version}  ${style.quiet(`${host.home} · ${counts}`)}`);
  const [model] = modelsOf(partner);
  if (model !== undefined) err.line(style.quiet([partner.agent.id, shownLine(model)].join(' · ')));
  if (model !== undefined) greetProject(host, err);
  const slash = model === undefined ? '' : '/';
  const errors = host.diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors > 0)
    err.line(
      style.warning(`${plural(errors, 'problem')}: "${slash}lint" shows ${errors === 1 ? 'it' : 'them'}.`),
    );
  const { length } = pendingIn(host).flatMap(({ what }) => what);
  if (length > 0) {
    err.line(
      style.warning(
        `${plural(length, 'thing waits', 'things wait')} for your approval: "${slash}approvals allow" shows what.`,
      ),
    );
  }
  if (model === undefined) {
    err.line(
      `No model is connected, so this prompt finds tools and runs them. ${style.name('setup')} connects one:`,
    );
    err.line('then it is a chat with an agent that uses the tools.');
  } else err.line('This is a chat with an agent that finds and runs the tools of this home.');
  const hints = model === undefined ? ['setup', 'tools', 'help', 'quit'] : ['/help', '/tools', '/quit'];
  err.line(`Say what you want, or ${hints.map(style.name).join(', ')}.\n`);
}

/** The project that the person is in, and what of it the agent reads. */
function greetProject({ home, surroundings }: Host, err: Surface): void {
  const workplace = workplaceAt(home, surroundings);
  const text = workplace && readProject(workplace);
  if (!text) return;
  const { root, isTrusted } = workplace.project!;
  const files = text.files.map((file) => relative(root, file));
  const shown = [`project ${root}`, ...(files.length > 0 ? [`reads ${files.join(', ')}`] : [])];
  err.line(err.style.quiet([...shown, ...(isTrusted ? [] : ['not trusted'])].map(oneLine).join(' · ')));
}

/** A name without a model is reported when a message is sent. */
function modelsOf(partner: Partner): readonly string[] {
  try {
    return partner.models();
  } catch {
    return ['a model that is unavailable'];
  }
}

/** Which conversation goes on: takes a moment to find out, so it is shown later. */
export async function conversationNotice(
  host: Host,
  err: { readonly width: number },
): Promise<string | undefined> {
  const { sessions } = await host.agents();
  const current = await sessions.current(terminalKey);
  if (!current || (current.messages === 0 && current.parent === undefined)) return undefined;
  const when = shortTime(current.lastAt);
  const title = truncate(oneLine(current.title), Math.max(10, Math.min(60, err.width - 60)));
  return `Going on with "${title}" (${plural(current.messages, 'message')}, the last ${when}). /new begins another one.`;
}

/** How the last turn ended: takes a moment to find out, so it is shown later. */
export async function lastTurnNotice(
  host: Host,
  err: { readonly width: number },
): Promise<string | undefined> {
  const { conversations } = await host.agents();
  const last = await conversations.interrupted(terminalKey);
  if (!last?.isLast) return undefined;
  const text = truncate(oneLine(last.text), Math.max(10, Math.min(60, err.width - 60)));
  return `The last turn was interrupted: "${text}". /continue goes on with it.`;
}

/** A model server on this machine that was neither connected nor declined yet. */
export async function localModelNotice(host: Host, partner: Partner): Promise<string | undefined> {
  const found = await partner.localServers();
  const offered = found.find(({ provider }) => !host.offers.isDeclined(provider));
  if (!offered) return undefined;
  const { name, provider, models } = offered;
  return `${name} runs on this machine. /model ${provider}/${shownLine(models[0]!)} lets it answer here; /model no declines the offer for good.`;
}
