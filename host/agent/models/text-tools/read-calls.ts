import { splitUnopened } from '../wire/thinking.ts';
import { withProblem } from './call-shape.ts';
import type { CallFormat, FoundCall, Tools } from './format.ts';
import { formats } from './formats.ts';
import { misplaced, scan, type CallGroup, type ScannedReply } from './scan.ts';
import { toSkeleton, type Range } from './quoting/skeleton.ts';
import { judgeSurroundings } from './quoting/surroundings.ts';
import { isReadable } from './unreadable.ts';
import { isUnsaid } from './quoting/call-position.ts';

/** A parsed reply. */
export interface TextAnswer {
  /** Without calls, thoughts and control tokens. */
  readonly text: string;
  readonly calls: readonly FoundCall[];
  /** Nothing follows the last call. */
  readonly endsInCall: boolean;
  /** The model made up results after a call: they are left out of the text. */
  readonly isMadeUp: boolean;
}

/** The text without thoughts and control tokens; calls are left in. */
export function withoutControlTokens(answer: string): string {
  const { text } = readCalls(answer, noTools, []);
  return text === answer.trim() ? answer : text;
}

const noTools: Tools = { has: () => false, properties: () => undefined, ended: true };

/** Parses the calls in a reply. `wanted`: the formats to recognise. */
export function readCalls(answer: string, tools: Tools, wanted: readonly CallFormat[] = formats): TextAnswer {
  const text = splitUnopened(answer)?.text ?? answer;
  const scanned = scan(text, tools, wanted);
  const { found, pieces, isMadeUp } = withoutQuoted(text, scanned);
  const lastSaid = pieces.findLastIndex(({ from, to }) => text.slice(from, to).trim() !== '');
  const calls = found.flatMap((one, index) => {
    const before = said(text, pieces.slice(found[index - 1]?.pieces ?? 0, one.pieces));
    const after = said(text, pieces.slice(one.pieces, found[index + 1]?.pieces));
    const isLast = lastSaid < one.pieces;
    const why = one.why ?? whyNotMeant(one.at, scanned, { before, after, isLast });
    return why === undefined ? one.calls : withProblem(one.calls, misplaced(why));
  });
  const texts = pieces.map(({ from, to }) => text.slice(from, to));
  return {
    text: join(texts),
    calls: allOrNone(calls),
    endsInCall: calls.length > 0 && texts.at(-1)!.trim() === '',
    isMadeUp,
  };
}

function whyNotMeant(
  at: number,
  { thinksFrom, foreignFrom }: ScannedReply,
  { before, after, isLast }: { readonly before: string; readonly after: string; readonly isLast: boolean },
): string | undefined {
  if (at > foreignFrom) return 'it follows a made-up turn of someone else';
  if (isUnsaid(before, after)) return 'the words next to it present it as an example, or say not to run it';
  // In reasoning that is never closed, calls count only at the very end.
  return at > thinksFrom && !isLast ? 'it is inside reasoning that never ends' : undefined;
}

interface Judged extends CallGroup {
  /** Why its surroundings prevent it from running. */
  readonly why: string | undefined;
}

/** Only tokens that end or begin a turn. */
const onlyTokens = /^(?:\s|<[|｜][^|｜<>\n]*[|｜]>(?:\s*(?:assistant|user|tool)\b)?)*$/;

/** Turns quoted calls back into text. */
function withoutQuoted(
  text: string,
  { pieces, shown, found, madeUpFrom }: ScannedReply,
): { readonly pieces: readonly Range[]; readonly found: readonly Judged[]; readonly isMadeUp: boolean } {
  if (found.length === 0) return { pieces, found: [], isMadeUp: false };
  const verdicts = judgeSurroundings(toSkeleton(text, { pieces, shown, calls: found, madeUpFrom }));
  const merged: Range[] = [...pieces];
  const left: Judged[] = [];
  for (const [index, one] of found.entries()) {
    const verdict = verdicts[index];
    const at = one.pieces - (pieces.length - merged.length);
    if (verdict?.isQuoted) merged.splice(at - 1, 2, { from: merged[at - 1]!.from, to: merged[at]!.to });
    else left.push({ ...one, pieces: at, why: verdict?.why });
  }
  const isMadeUp = madeUpFrom < text.length && !onlyTokens.test(text.slice(madeUpFrom));
  if (left.length > 0 || madeUpFrom >= text.length) return { pieces: merged, found: left, isMadeUp };
  merged.push({ from: merged.pop()!.from, to: text.length });
  return { pieces: merged, found: left, isMadeUp: false };
}

const said = (text: string, pieces: readonly Range[]): string =>
  pieces.map(({ from, to }) => text.slice(from, to)).join('');

/** Calls of one reply may depend on each other: none runs when one of them is unreadable. */
function allOrNone(calls: readonly FoundCall[]): readonly FoundCall[] {
  return calls.every(isReadable)
    ? calls
    : calls.map((call) => (isReadable(call) ? { ...call, problem: anotherUnreadable } : call));
}

const anotherUnreadable = "another call of the same reply can't be read, so none of them was run";

/** Joins the text before and after calls as paragraphs. */
function join(pieces: readonly string[]): string {
  return pieces
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .join('\n\n');
}
