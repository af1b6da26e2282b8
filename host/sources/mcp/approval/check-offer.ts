import { pegboard } from '../../../core/own-command.ts';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { CachedCatalog } from '../catalog/catalog-cache.ts';
import { describeChange } from './describe-change.ts';
import type { ListedTool } from '../catalog/listed-tool.ts';
import { usesHeaders } from '../transport/http/param-headers.ts';
import {
  pendingTool,
  isFirstSight,
  checkPins,
  mayPass,
  pinOfInstructions,
  type PendingTool,
  type PinCheck,
  type Pin,
  type Pins,
} from './pins.ts';
import { checkList } from '../catalog/tools.ts';

/** What a server offers, and how it was reached. */
export interface ServerOffer extends Pick<CachedCatalog, 'tools' | 'instructions' | 'transport' | 'era'> {
  /** Whether the server listed it in this process. A cached list is never a first sight. */
  readonly isLive: boolean;
}

/** The result of checking an offer against what was approved before. */
export interface CheckedOffer extends PinCheck {
  /** The valid tools, including those pending approval. */
  readonly tools: readonly ListedTool[];
  readonly diagnostics: readonly Diagnostic[];
  /** See CheckedList. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Undefined when there are none, or when they are pending approval. */
  readonly instructions: Pin | undefined;
  readonly pendingInstructions: PendingTool | undefined;
}

/** Maximum characters of a server's instructions. */
const maxInstructionsLength = 256 * 1024;

/** The name of pending instructions in the list of pending tools. */
export const instructionsName = '(instructions)';

export function checkOffer(
  server: string,
  offer: ServerOffer,
  approved: Pins | undefined,
  trust: boolean,
): CheckedOffer {
  const { transport, era } = offer;
  const isLong = (offer.instructions?.length ?? 0) > maxInstructionsLength;
  const text = isLong ? undefined : offer.instructions;
  const { tools, diagnostics, leftOut } = checkList(server, offer.tools, usesHeaders(transport, era));
  const how = { isFirstSight: offer.isLive && isFirstSight(approved, Date.now()), trust };
  const verdict = checkPins(server, tools, { ...how, pins: approved?.tools ?? new Map<string, Pin>() });
  const pin = text === undefined ? undefined : pinOfInstructions(server, text);
  const pending =
    pin === undefined || mayPass(pin, approved?.instructions, how)
      ? undefined
      : pendingTool(instructionsName, pin, approved?.instructions);
  return {
    ...verdict,
    tools,
    leftOut,
    diagnostics: [
      ...diagnostics,
      ...(isLong ? [tooLong(server)] : []),
      ...verdict.pending.map((one) => pendingToolDiagnostic(server, one)),
      ...(pending ? [pendingInstructionsDiagnostic(server, pending)] : []),
    ],
    instructions: pending ? undefined : pin,
    pendingInstructions: pending,
  };
}

const tooLong = (server: string): Diagnostic => ({
  severity: 'warning',
  code: 'mcp-long-instructions',
  message: `MCP server "${server}": its instructions are left out: they have more than ${maxInstructionsLength} characters`,
});

function pendingToolDiagnostic(
  server: string,
  { name, pin, approved, injectionPatterns }: PendingTool,
): Diagnostic {
  const changes = describeChange(approved?.definition ?? {}, pin.definition);
  const warning = injectionPatterns.length > 0 ? ` Careful: ${injectionPatterns.join('; ')}.` : '';
  return {
    severity: 'warning',
    code: approved ? 'mcp-changed-tool' : 'mcp-new-tool',
    message: `MCP server "${server}": tool "${name}" is ${approved ? 'not what was approved' : 'new'}, and is pending approval.${warning} ${changes.join('; ')}`,
    hint: `${pegboard} mcp approve ${server} ${name}`,
  };
}

function pendingInstructionsDiagnostic(
  server: string,
  { pin, approved, injectionPatterns }: PendingTool,
): Diagnostic {
  const changes = describeChange(approved?.definition ?? {}, pin.definition);
  const warning = injectionPatterns.length > 0 ? ` Careful: ${injectionPatterns.join('; ')}.` : '';
  return {
    severity: 'warning',
    code: approved ? 'mcp-changed-instructions' : 'mcp-new-instructions',
    message: `MCP server "${server}": its instructions are ${approved ? 'not what was approved' : 'new'}, and are pending approval.${warning} ${changes.join('; ')}`,
    hint: `${pegboard} mcp approve ${server}`,
  };
}
