import { relative } from 'node:path';
import type { PermissionRule } from '../../../api/agent.ts';
import type { RegisteredTool } from '../../../api/tool.ts';
import { isWithin } from '../../../core/files/paths.ts';
import type { Rehearsal } from '../../../dispatch/rehearse.ts';
import type { CommandHandler } from '../../command.ts';
import { scopeOf } from '../../scope.ts';
import { oneLine } from '../../terminal/safe.ts';
import { readCallArguments } from '../../tools/call-arguments.ts';
import { getTool } from '../../tools/find-tool.ts';
import { propertiesOf } from '../../values.ts';
import { atWorkplace } from '../../workplace.ts';

/** Exit code 0 when the call would run without a question, 1 when it would be asked about or refused. */
export const run: CommandHandler = async (context) => {
  const { words, options, terminal, home, signal } = context;
  const host = await context.openHost();
  const { tool, given } = await callIn(words, (name) => getTool(host, name, context));
  const args = await readCallArguments(toAssignments(given, tool), tool.parameters, context);
  const scope = scopeOf(host, context);
  const request = { name: tool.id, args, scope, caller: 'cli', ...atWorkplace(context), signal };
  const rehearsal = await host.rehearse(request);
  const { verdict } = rehearsal;
  const code = verdict === 'allow' ? 0 : 1;
  const rules = rehearsal.rules.map((rule) => ({ rule: rule.text, file: placeOf(rule, home) }));
  if (options.flag('json')) {
    terminal.json({ tool: tool.id, verdict, rules, reasons: rehearsal.reasons });
    return code;
  }
  const { out } = terminal;
  out.line(`${out.style[tones[verdict]](verdict)}  ${tool.id}`);
  for (const line of explain(rehearsal, rules)) out.line(`  ${oneLine(line)}`);
  return code;
};

const tones = { allow: 'good', ask: 'warning', deny: 'bad' } as const;

/** "bash", "git push" or "bash: git push", as logs write it. */
async function callIn(
  [first = '', ...rest]: readonly string[],
  find: (name: string) => Promise<RegisteredTool>,
): Promise<{ readonly tool: RegisteredTool; readonly given: readonly string[] }> {
  const [, name, subject] = /^([^\s:=]+): (.+)$/s.exec(first) ?? [];
  return name === undefined
    ? { tool: await find(first), given: rest }
    : { tool: await find(name), given: [subject!, ...rest] };
}

/** One word that assigns no parameter is what the tool's rules are about: its command, path or address. */
function toAssignments(
  given: readonly string[],
  { permission, parameters }: RegisteredTool,
): readonly string[] {
  const [first = '', ...rest] = given;
  const key = /^([^=]+)=/s.exec(first)?.[1];
  const assigns = key !== undefined && Object.hasOwn(propertiesOf(parameters), key);
  return given.length === 0 || assigns || !permission ? given : [`${permission.argument}=${first}`, ...rest];
}

const placeOf = ({ file }: PermissionRule, home: string): string =>
  isWithin(home, file) ? relative(home, file) : file;

function explain(
  { verdict, reasons }: Rehearsal,
  rules: readonly { readonly rule: string; readonly file: string }[],
): readonly string[] {
  const named = rules.map(({ rule, file }) => `${rule} (${file})`);
  if (verdict !== 'ask') return named.length > 0 ? named : ['It needs no confirmation.'];
  return [...reasons, ...named.map((one) => `In spite of the rule ${one}`)];
}
