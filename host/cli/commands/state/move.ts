import { planMove, type MovePlan } from '../../../compose/move/plan-move.ts';
import type { Moved } from '../../../compose/move/run-move.ts';
import { PegboardError } from '../../../core/errors.ts';
import { plural } from '../../../core/text/plural.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { agree } from '../../terminal/agree.ts';
import { warn } from '../../warn.ts';

export const run: CommandHandler = async (context) => {
  const { home, options, terminal, surroundings, signal } = context;
  const { out, err } = terminal;
  const to = options.value('to');
  if (to === undefined)
    throw new PegboardError('PEG_USAGE', 'Say where to with --to postgres://… or --to sqlite.');
  await using plan = await planMove(home, {
    to,
    surroundings,
    signal,
    notice: (text) => warn(terminal, text),
    say: (step) => err.line(err.style.quiet(`${step} …`)),
  });
  terminal.keepOut((text) => plan.redact(text));
  const asJson = options.flag('json');
  const { from, tables } = plan;
  if (!asJson) show(plan, context);
  if (options.flag('dry-run')) {
    if (asJson) terminal.json({ from, to: plan.to, tables, moved: false });
    return;
  }
  if (!options.flag('yes') && !(await isWanted(plan, context)))
    throw new PegboardError('PEG_DECLINED', 'Nothing was changed.');
  const moved = await plan.run();
  if (asJson)
    terminal.json({
      from,
      to: plan.to,
      tables: moved.tables.filter(({ rows }) => rows > 0).map(({ name, rows }) => ({ name, rows })),
      moved: true,
      old: moved.old,
    });
  else if (plan.isSwitched)
    out.line(
      `${out.style.good('moved:')} the interrupted move is finished. The state of this home is in ${plan.to}.`,
    );
  else
    out.line(
      `${out.style.good('moved:')} ${rowsIn(moved.tables)} verified. The state of this home is in ${plan.to}.`,
    );
  tell(plan, moved, context);
};

const rowsIn = (tables: readonly { readonly rows: number }[]): string =>
  `${plural(
    tables.reduce((sum, { rows }) => sum + rows, 0),
    'row',
  )} of ${plural(tables.filter(({ rows }) => rows > 0).length, 'table')}`;

function show(
  { from, to, tables, isThere, isSwitched, newSecret }: MovePlan,
  { terminal: { out } }: Context,
): void {
  if (isSwitched) {
    out.line(`A move from ${from} to ${to} was interrupted when the new state was in service already.`);
    out.line('What is left is to put aside what was there before. It is kept.');
    return;
  }
  out.line(out.style.title(`${rowsIn(tables)} from ${from} to ${to}:`));
  for (const { name, rows } of tables) out.line(`  ${name} ${out.style.quiet(plural(rows, 'row'))}`);
  out.line('`state` in pegboard.yaml is changed last. What is there now is kept.');
  if (isThere) out.line(`${to} has all of it already, as a comparison has shown: nothing is copied.`);
  if (newSecret !== undefined)
    out.line(`The password becomes the secret ${newSecret}, and pegboard.yaml names it as \${${newSecret}}.`);
}

async function isWanted({ isSwitched }: MovePlan, { terminal, signal }: Context): Promise<boolean> {
  if (!terminal.interactive)
    throw new PegboardError(
      'PEG_USAGE',
      'Nobody can be asked here: pass --yes to move, or --dry-run to see what would be copied. Nothing was changed.',
    );
  return (await agree(isSwitched ? 'Finish it?' : 'Move it?', { terminal, signal }, 'yes')) === true;
}

/** What its owner has to know besides. */
function tell({ to, isSwitched }: MovePlan, { old, wasThere, tables }: Moved, { terminal }: Context): void {
  const { err } = terminal;
  if (wasThere && !isSwitched) err.line(`${to} had all of it already, from a move that was interrupted.`);
  const replaced = tables.reduce((sum, table) => sum + table.replaced, 0);
  if (replaced > 0)
    err.line(
      `Postgres can't store the character with the number 0: ${plural(replaced, 'text')} have U+FFFD in its place.`,
    );
  err.line(
    old.startsWith('postgres://')
      ? `What was in ${old} is still there, and nobody can write to it any more. Give other homes that name it the new \`state\`.`
      : `What was there is kept in ${old}. Delete it when you no longer need it.`,
  );
}
