import { pegboard } from '../../../core/own-command.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { RegistryServer } from '../../../sources/mcp/registry/entry.ts';
import {
  isOpen,
  wrongValue,
  type Answers,
  type RequestedInput,
} from '../../../sources/mcp/registry/inputs.ts';
import { installOptionsOf, type InstallOption } from '../../../sources/mcp/registry/install-options.ts';
import type { Context } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { oneLine } from '../../terminal/safe.ts';
import { splitEnv, splitHeader } from '../server-entry.ts';

/** The first way to run the server that Pegboard supports, or the one of --from. Throws PEG_DENIED with the reasons against the others. */
export function chooseInstallOption(
  server: RegistryServer,
  as: string,
  { options }: Context,
): { readonly way: InstallOption; readonly others: readonly InstallOption[] } {
  const from = options.value('from');
  const all = installOptionsOf(server, as).filter(
    (one) => [undefined, one.kind].includes(from) || one.kind === 'server',
  );
  const ways = all.flatMap((one) => ('refused' in one ? [] : [one]));
  const [way, ...others] = ways;
  if (way) return { way, others };
  const reasons = all.map((one) =>
    'refused' in one ? `${oneLine([one.kind, one.what].join(' '))}: ${oneLine(one.refused)}` : '',
  );
  const why =
    reasons.length > 0
      ? ` ${reasons.join('. ')}.`
      : ` It has ${from === undefined ? 'neither a package nor a URL' : `nothing for --from ${from}`}.`;
  throw new PegboardError(
    'PEG_DENIED',
    `${server.name} can't be added from the registry.${why} ${byHand(all, as)}`,
  );
}

/** How to add the server by hand, by a command or a URL. */
function byHand(ways: readonly { readonly kind: string }[], as: string): string {
  const hasAddress = ways.some(({ kind }) => kind === 'remote');
  const hasCommand = ways.length === 0 || ways.some(({ kind }) => kind !== 'remote');
  return [
    ...(hasCommand ? [`Put a command that you have checked after --: ${pegboard} mcp add ${as} -- …`] : []),
    ...(hasAddress ? [`Or add a URL that you know: ${pegboard} mcp add ${as} URL`] : []),
  ].join('. ');
}

/** Values from options, then from the person at the terminal for what is still required; never for secrets. */
export async function collectAnswers(way: InstallOption, context: Context): Promise<Answers> {
  const answers = new Map<string, readonly string[]>();
  for (const [key, value] of given(context)) {
    const wanted = way.wanted.find((one) => one.key === key);
    const wrong = wanted && wrongValue(wanted, value);
    if (!wanted) throw unknownInput(key, way, context);
    if (wrong !== undefined) throw usageError(context.command, `${key} ${oneLine(wrong)}, not "${value}".`);
    answers.set(key, [...(answers.get(key) ?? []), value]);
  }
  const open = way.wanted.filter((one) => one.isSecret !== true && isOpen(one, answers));
  const { terminal, options, signal } = context;
  if (open.length === 0 || options.flag('yes') || !terminal.interactive) return answers;
  const { fillIn } = await import('../../terminal/form.ts');
  const said = await fillIn(toForm(open), {}, { terminal, signal });
  if (!said) throw new PegboardError('PEG_DECLINED', 'Nothing was changed.');
  for (const { key } of open) answers.set(key, [String(said[key])]);
  return answers;
}

/** By the name that the publisher gave them. */
function given({ options, command }: Context): readonly (readonly [string, string])[] {
  return [
    ...options.values('env').map(splitEnv),
    ...options.values('header').map((text) => splitHeader(text, command)),
    ...options.values('arg').map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw usageError(command, `--arg takes NAME=VALUE, not "${text}".`);
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  ];
}

function unknownInput(key: string, { wanted, what }: InstallOption, { command }: Context): PegboardError {
  const names = wanted.map((one) => one.key).join(', ');
  return usageError(
    command,
    `${oneLine(what)} has no "${key}" to fill in. ${names === '' ? 'It takes none.' : `It takes ${oneLine(names)}.`}`,
  );
}

const toForm = (open: readonly RequestedInput[]): Record<string, unknown> => ({
  type: 'object',
  required: open.map(({ key }) => key),
  properties: Object.fromEntries(
    open.map(({ key, description, choices }) => [
      key,
      {
        type: 'string',
        title: oneLine(key),
        ...(description !== undefined && { description: oneLine(description) }),
        ...(choices !== undefined && choices.length > 0 && { enum: choices }),
      },
    ]),
  ),
});
