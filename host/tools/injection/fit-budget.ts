import type { WireTool } from '../../api/model.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { toCompact } from './compact.ts';
import { tokensOf, toWire } from './wire.ts';

/** The tools to send, in order. */
export interface Sent {
  /** These find tools that aren't listed: the last to be dropped. */
  readonly leading: readonly RegisteredTool[];
  readonly otherMeta: readonly RegisteredTool[];
  readonly shown: readonly RegisteredTool[];
  /** Used by the last turns, in order of first use. */
  readonly kept: readonly RegisteredTool[];
}

/** The form of each part: in full, by name with a line of limited length, or left out. */
interface Forms {
  readonly leading: 'full' | number;
  readonly otherMeta: 'full' | number | 'none';
  readonly shown: 'full' | number | 'none';
  readonly kept: 'full' | number | 'none';
}

const [line, shorter, short, words] = [80, 60, 40, 24];

/** The forms from richest to poorest, for each mode. */
const full: readonly Forms[] = [
  { leading: 'full', otherMeta: 'full', shown: 'full', kept: 'full' },
  { leading: 'full', otherMeta: line, shown: 'full', kept: 'full' },
  { leading: 'full', otherMeta: line, shown: 'full', kept: line },
];
const direct: readonly Forms[] = [
  ...full,
  { leading: 'full', otherMeta: short, shown: 'full', kept: 'none' },
  { leading: line, otherMeta: 'none', shown: 'full', kept: 'none' },
];
const discovery: readonly Forms[] = [
  ...full,
  { leading: 'full', otherMeta: line, shown: line, kept: line },
  { leading: line, otherMeta: line, shown: line, kept: line },
  { leading: line, otherMeta: short, shown: short, kept: 'none' },
  { leading: line, otherMeta: short, shown: 'none', kept: 'none' },
  { leading: short, otherMeta: 'none', shown: 'none', kept: 'none' },
];
const compact: readonly Forms[] = [
  { leading: 'full', otherMeta: 'full', shown: line, kept: 'full' },
  { leading: 'full', otherMeta: line, shown: line, kept: 'full' },
  ...[line, shorter, short, words, 0].map((maxLength): Forms => ({
    leading: line,
    otherMeta: Math.min(maxLength, short),
    shown: maxLength,
    kept: maxLength,
  })),
  { leading: line, otherMeta: 'none', shown: 0, kept: 'none' },
];

export const formsIn = { direct, compact_direct: compact, discovery } as const;

/** The richest of `forms` that stays within the budget; `fits` is false when not even the poorest does. */
export function fitBudget(
  sent: Sent,
  forms: readonly Forms[],
  budget: number,
): { readonly tools: readonly WireTool[]; readonly fits: boolean } {
  let tools: readonly WireTool[] = [];
  for (const form of forms) {
    tools = write(sent, form);
    if (tools.reduce((sum, tool) => sum + tokensOf(tool), 0) <= budget) return { tools, fits: true };
  }
  return { tools, fits: false };
}

function write({ leading, otherMeta, shown, kept }: Sent, forms: Forms): readonly WireTool[] {
  const as = (form: Forms[keyof Forms]) => (tool: RegisteredTool) =>
    form === 'none' ? [] : form === 'full' ? toWire(tool) : toCompact(tool, form);
  return [
    ...leading.flatMap(as(forms.leading)),
    ...otherMeta.flatMap(as(forms.otherMeta)),
    ...shown.flatMap(as(forms.shown)),
    ...kept.flatMap(as(forms.kept)),
  ];
}
