import { pegboard, PegboardError } from 'pegboard';
import { plural } from 'pegboard/kit';
import { agree, type CommandHandler, type Context, usageError } from 'pegboard/terminal';
import type { RecordedTurn } from '../recorded-turn.ts';
import { hasMore } from '../plan-undo.ts';
import { Undo, type UndoPlan } from '../undo.ts';
import { hasEffects, showFailed, showPlan, showTurns, toJsonPlan } from './show-undo.ts';

/** The channel of the conversation in the terminal: at its prompt, its own turns are undone. */
const terminalSource = 'cli';

export const run: CommandHandler = async (context) => {
  const { options, command } = context;
  const isRedo = options.flag('redo');
  const wanted = options.value('turn');
  if (isRedo && wanted !== undefined)
    throw usageError(command, '--redo makes the last undone turn again; it takes no --turn.');
  const host = await context.openHost({ mcp: 'off' });
  return await host.plugins.use(Undo)((undo) => undoIn(undo, context));
};

async function undoIn(undo: Undo, context: Context): Promise<number> {
  const { options, terminal } = context;
  const isRedo = options.flag('redo');
  const wanted = options.value('turn');
  const turns = (await Promise.all(undo.turns().map(undo.settled))).filter(hasEffects);
  if (options.flag('list')) {
    await showTurns(turns, undo, context);
    return 0;
  }
  const plan = isRedo
    ? await planRedo(undo, context)
    : wanted === undefined
      ? await planLast(undo, turns, context)
      : await undo.plan(find(turns, wanted), { force: options.flag('force') });
  if (!plan) {
    if (options.flag('json')) terminal.json({ undone: false });
    else terminal.err.line(isRedo ? 'There is nothing to redo.' : nothingToUndo(turns));
    return 1;
  }
  return await carryOut(plan, { undo, context, turns });
}

function nothingToUndo(turns: readonly RecordedTurn[]): string {
  const hint = turns.length > 0 ? ` \`${pegboard} undo --list\` shows what turns did.` : '';
  return `There is nothing to undo.${hint}`;
}

const planRedo = async (undo: Undo, { options }: Context): Promise<UndoPlan | undefined> => {
  const last = undo.lastUndone();
  return last && (await undo.plan(last, { force: options.flag('force') }));
};

/** The newest turn of which something can be undone, or else the newest one of which something stays. */
async function planLast(
  undo: Undo,
  turns: readonly RecordedTurn[],
  { options, keep, terminal }: Context,
): Promise<UndoPlan | undefined> {
  const isHere = ({ start }: RecordedTurn): boolean => keep === undefined || start.source === terminalSource;
  const passed: UndoPlan[] = [];
  for (const turn of turns) {
    if (turn.isUndone || turn.changes.size === 0 || !isHere(turn)) continue;
    const plan = await undo.plan(turn, { force: options.flag('force') });
    if (!hasMore(plan)) {
      if (plan.blocked.length > 0) passed.push(plan);
      continue;
    }
    const [newest] = passed;
    if (newest && !options.flag('json'))
      terminal.err.line(
        `Of ${plural(passed.length, 'later turn')}, nothing more can be undone: \`${pegboard} undo --turn ${newest.turn.id}\` says why.`,
      );
    return plan;
  }
  return passed[0];
}

function find(turns: readonly RecordedTurn[], id: string): RecordedTurn {
  const found = turns.filter((turn) => turn.id.startsWith(id));
  if (found.length === 1 && id !== '') return found[0]!;
  const problem = found.length === 0 ? 'There is no turn' : 'There is more than one turn';
  throw new PegboardError('PEG_USAGE', `${problem} "${id}". \`${pegboard} undo --list\` shows them.`);
}

interface Scene {
  readonly undo: Undo;
  readonly context: Context;
  readonly turns: readonly RecordedTurn[];
}

async function carryOut(plan: UndoPlan, { undo, context, turns }: Scene): Promise<number> {
  const { options, terminal, signal } = context;
  const { out, err } = terminal;
  const asJson = options.flag('json');
  const isRedo = plan.turn.start.kind === 'undo';
  const turn = isRedo ? (turns.find(({ id }) => id === plan.turn.start.of) ?? plan.turn) : plan.turn;
  const isDryRun = options.flag('dry-run');
  if (!asJson) await showPlan(plan, { turn, turns, undo, terminal });
  if (isDryRun || plan.steps.length === 0) {
    if (asJson) terminal.json(await toJsonPlan(plan, { turn, undo, done: false }));
    else if (plan.steps.length === 0) err.line('Nothing was changed.');
    return isDryRun || plan.blocked.length === 0 ? 0 : 1;
  }
  if (!options.flag('yes') && !(await isWanted(plan, isRedo, context)))
    throw new PegboardError('PEG_DECLINED', 'Nothing was changed.');
  signal.throwIfAborted();
  const failed = await undo.apply(plan);
  const done = plan.steps.length - failed.length;
  if (asJson) terminal.json(await toJsonPlan(plan, { turn, undo, done: done > 0, failed }));
  else {
    const hint = isRedo ? '' : ` \`${pegboard} undo --redo\` makes them again.`;
    if (done === 0) err.line('Nothing was changed.');
    else out.line(`${out.style.good(isRedo ? 'redone:' : 'undone:')} ${plural(done, 'change')}.${hint}`);
    showFailed(failed, undo, terminal);
    if (failed.length > 0)
      err.line(
        `\`${pegboard} undo${isRedo ? ' --redo' : ''}\` tries ${failed.length === 1 ? 'it' : 'them'} again.`,
      );
  }
  return failed.length === 0 ? 0 : 1;
}

async function isWanted(
  { steps }: UndoPlan,
  isRedo: boolean,
  { terminal, signal }: Context,
): Promise<boolean> {
  if (!terminal.interactive)
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      'Nobody can be asked here: pass --yes, or --dry-run to see what would be changed. Nothing was changed.',
    );
  const question = `${isRedo ? 'Redo' : 'Undo'} ${plural(steps.length, 'change')}?`;
  return (await agree(question, { terminal, signal })) === true;
}
