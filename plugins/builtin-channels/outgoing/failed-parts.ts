import { parseJson } from 'pegboard';
import type { OutgoingPart } from './parts.ts';

/** A part that was refused, or whose delivery is unknown. */
export interface FailedPart {
  /** Its index. */
  readonly part: number;
  /** Why the service refused it. Absent: its delivery is unknown. */
  readonly refused?: string;
}

export const readFailed = ({ failed }: { readonly failed: string | null }): readonly FailedPart[] =>
  failed === null ? [] : (parseJson(failed) as readonly FailedPart[]);

/** The parts whose delivery is unknown, to be sent again with their names. */
export function doubtfulParts(
  parts: readonly OutgoingPart[],
  failed: readonly FailedPart[],
): readonly OutgoingPart[] {
  const named = partNames(parts);
  return failed.flatMap(({ part, refused }) =>
    refused === undefined ? [{ ...parts[part]!, called: named(part) }] : [],
  );
}

/** The name of each part, for people. */
function partNames(parts: readonly OutgoingPart[]): (at: number) => string {
  const shown = parts.filter(({ kind }) => kind !== 'react' && kind !== 'delete');
  return (at) => {
    const part = parts[at]!;
    if (part.called !== undefined) return part.called;
    if (part.kind === 'file') return `the file ${part.name} of this answer`;
    return shown.length === 1
      ? 'the answer to this message'
      : `part ${shown.indexOf(part) + 1} of ${shown.length} of this answer`;
  };
}

/** A notice about parts of an answer that failed. Undefined: none failed. `title`: the service. */
export function noticeOf(
  parts: readonly OutgoingPart[],
  failed: readonly FailedPart[],
  title: string,
): string | undefined {
  const name = partNames(parts);
  const doubtful = failed.filter(({ refused }) => refused === undefined).map(({ part }) => name(part));
  const lines = failed.flatMap(({ part, refused }) =>
    refused === undefined ? [] : [`⚠️ ${title} refused ${name(part)}: ${refused}.`],
  );
  if (doubtful.length > 0)
    lines.unshift(
      `⚠️ The connection ended while ${doubtful.join(' and ')} was being sent. I can't tell whether it arrived.`,
    );
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** The data of the button that sends the doubtful parts again. */
export const againData = (event: number): string => `again:${event}`;

export function resendTarget(data: string): number | undefined {
  const [, id] = /^again:(\d+)$/.exec(data) ?? [];
  return id === undefined ? undefined : Number(id);
}
