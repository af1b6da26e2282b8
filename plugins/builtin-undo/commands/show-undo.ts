import { relative } from 'node:path';
import { pegboard } from 'pegboard';
import { isWithin, plural, shorten, shortTime, shownPath } from 'pegboard/kit';
import { type Context, oneLine, renderTable, type Terminal } from 'pegboard/terminal';
import type { Obstacle, UndoStep } from '../plan-undo.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import type { FailedStep } from '../restore.ts';
import type { Uncovered } from '../scan.ts';
import type { Undo, UndoPlan } from '../undo.ts';

/** Maximum number of paths that are shown of one kind. */
const maxShown = 200;
const maxTextLength = 60;

const obstacles: Readonly<Record<Obstacle, string>> = {
  'changed since': 'somebody has changed it since; --force restores it too',
  'cut off': 'the call that may have changed it was cut off; --force restores it too',
  'not empty': 'there are other files in it now',
  'not kept': 'its content was not kept; `undo` in pegboard.yaml sets how much is',
  'too large to keep': 'it is too large to be kept, so --redo could not bring it back; --force undoes it too',
  'not a file': 'it is, or was, neither a file nor a link nor a folder that is recorded',
  outside: 'it is not in the home or a listed folder',
  replaced: 'it was a folder, and is a link or a file now; undo can go on once it is a folder again',
  unreachable: 'a folder above it is a link or a file now; undo can go on once it is a folder again',
};

const reasons: Readonly<Record<Uncovered['why'], string>> = {
  'too many files': 'it holds too many files',
  unreadable: 'it could not be read',
  outside: 'it is not in the home or a listed folder',
};

/** A turn with no effect has nothing to show. */
export const hasEffects = ({ changes, unrecorded, elsewhere, uncovered }: RecordedTurn): boolean =>
  changes.size + unrecorded.length + elsewhere.length + uncovered.length > 0;

export async function showTurns(
  turns: readonly RecordedTurn[],
  undo: Undo,
  { terminal, options }: Context,
): Promise<void> {
  if (options.flag('json'))
    return terminal.json({ turns: await Promise.all(turns.map((turn) => toJsonTurn(turn, undo))) });
  const { out, err } = terminal;
  if (turns.length === 0) return err.line('No turn has changed files yet.');
  const rows = await Promise.all(
    turns.map(async (turn) => {
      const { agent = '', caller = '', source = caller } = turn.start;
      const state = turn.isUndone ? 'undone' : turn.isPartlyUndone ? 'partly undone' : '';
      const files = plural(turn.changes.size, 'change');
      return [turn.id, shortTime(turn.start.at), files, state, source, agent, await textOf(turn, undo)].map(
        oneLine,
      );
    }),
  );
  const columns = ['TURN', 'BEGAN', '', '', 'FROM', 'AGENT', 'MESSAGE'].map((title, at) => ({
    title,
    ...(at === 0 && { paint: out.style.name }),
    ...(at === 6 && { shrinks: true }),
  }));
  for (const line of renderTable(out, columns, rows)) out.line(line);
}

interface Shown {
  /** The turn that the plan undoes or redoes. */
  readonly turn: RecordedTurn;
  /** Newest first. */
  readonly turns: readonly RecordedTurn[];
  readonly undo: Undo;
  readonly terminal: Terminal;
}

export async function showPlan(plan: UndoPlan, { turn, turns, undo, terminal }: Shown): Promise<void> {
  const { out } = terminal;
  const { agent, caller = '', source = caller } = turn.start;
  const text = await textOf(turn, undo);
  const who = [source, ...(agent === undefined ? [] : [agent])].join(', ');
  out.line(
    out.style.title(
      oneLine(`Turn ${turn.id}, ${shortTime(turn.start.at)} (${who})${text === '' ? '' : `: ${text}`}`),
    ),
  );
  const { home } = undo;
  const sorted = [...plan.steps].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const step of sorted.slice(0, maxShown))
    out.line(
      `  ${actionOf(step).padEnd(7)} ${out.style.name(oneLine(`${shown(step.path, home)}${isFolder(step) ? '/' : ''}`))}`,
    );
  if (sorted.length > maxShown) out.line(`  … and ${sorted.length - maxShown} more`);
  if (plan.blocked.length > 0) {
    out.line(out.style.warning('Stays as it is:'));
    for (const { path, why } of plan.blocked.slice(0, maxShown))
      out.line(`  ${oneLine(shown(path, home))}: ${obstacles[why]}`);
    if (plan.blocked.length > maxShown) out.line(`  … and ${plan.blocked.length - maxShown} more`);
  }
  for (const line of notUndone(turn, home)) out.line(out.style.warning(oneLine(line)));
  const later = turns.filter((one) => one.start.at > turn.start.at && one.changes.size === 0);
  if (later.length > 0)
    out.line(
      out.style.quiet(
        `${plural(later.length, 'later turn')} changed no files that are recorded: \`${pegboard} undo --list\`.`,
      ),
    );
}

/** The steps that failed, each with its reason. */
export function showFailed(failed: readonly FailedStep[], { home }: Undo, { err }: Terminal): void {
  for (const { path, reason } of failed) err.line(oneLine(`${shown(path, home)}: ${reason}`));
}

/** What the turn may have done besides, as sentences. */
function notUndone({ unrecorded, elsewhere, uncovered }: RecordedTurn, home: string): readonly string[] {
  return [
    ...(unrecorded.length > 0 ? [`What these calls did is not undone: ${unrecorded.join(', ')}.`] : []),
    ...(elsewhere.length > 0
      ? [`${elsewhere.join(', ')} ran without a sandbox: what was changed in other folders is not known.`]
      : []),
    ...uncovered.map(
      ({ path, why }) => `Other changes in ${shown(path, home)} are not undone: ${reasons[why]}.`,
    ),
  ];
}

const actionOf = ({ from, to }: Pick<UndoStep, 'from' | 'to'>): string => {
  if (to.type === 'absent') return 'delete';
  if (from.type === 'absent') return 'restore';
  const isSameFile = from.type === 'file' && to.type === 'file' && from.hash === to.hash;
  const isModeOnly = isSameFile || (from.type === 'folder' && to.type === 'folder');
  return isModeOnly ? 'set mode of' : 'restore';
};

const isFolder = ({ from, to }: UndoStep): boolean => (to.type === 'absent' ? from : to).type === 'folder';

const shown = (path: string, home: string): string =>
  shownPath(isWithin(home, path) ? relative(home, path) || '.' : path);

/** The beginning of the message that the turn answered. */
async function textOf(turn: RecordedTurn, undo: Undo): Promise<string> {
  const text = await undo.messageOf(turn);
  return text === undefined ? '' : shorten(text.trim().split('\n')[0]!, maxTextLength);
}

async function toJsonTurn(turn: RecordedTurn, undo: Undo): Promise<object> {
  const { id, start, isUndone, isPartlyUndone, changes, unrecorded, elsewhere, uncovered } = turn;
  const { at, agent, caller, source } = start;
  const message = await undo.messageOf(turn);
  return {
    id,
    at,
    agent,
    caller,
    source,
    message,
    undone: isUndone,
    partlyUndone: isPartlyUndone,
    paths: [...changes.keys()],
    unrecorded,
    elsewhere,
    uncovered,
  };
}

export async function toJsonPlan(
  { steps, blocked }: UndoPlan,
  {
    turn,
    undo,
    done,
    failed = [],
  }: {
    readonly turn: RecordedTurn;
    readonly undo: Undo;
    readonly done: boolean;
    readonly failed?: readonly FailedStep[];
  },
): Promise<object> {
  return {
    turn: await toJsonTurn(turn, undo),
    steps: steps.map((step) => ({ path: step.path, action: actionOf(step) })),
    blocked,
    failed,
    undone: done,
  };
}
