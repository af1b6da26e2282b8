import type { ProvenanceRule } from '../../api/dispatch.ts';
import type { FileOrigins } from '../../api/store/file-origins.ts';
import type { StoredFileOrigins } from '../../store/files/file-origins.ts';
import type { Scope } from '../../api/source.ts';
import type { Origin } from '../../api/provenance.ts';
import type { ToolResult } from '../../api/result.ts';
import type { Prepared, RegisteredTool, ToolCall } from '../../api/tool.ts';
import { distinct, markUntrusted } from '../../core/foreign/untrusted.ts';
import { matchesTool } from '../../core/text/glob.ts';
import { isMeta } from '../../tools/meta.ts';
import { allowancesOfTool, type Reason } from '../allowances.ts';
import type { CallRecord } from '../call-record.ts';
import { describeOrigins } from './describe-origins.ts';
import { stringsIn } from './known-addresses.ts';

/**
 * Records the origins of untrusted content on the turn and the parent call, and marks the result with them. Errors
 * count too: their text is read as well. A tool that is given the name of an untrusted file counts as reading it, unless
 * it reports what it reads.
 */
export function noteOrigins(
  record: CallRecord,
  result: ToolResult,
  files: FileOrigins | undefined,
): ToolResult {
  const { turn, parent } = record.request;
  const origins = originsReadBy(record, result, files);
  const reader = turn ?? parent?.turn;
  for (const origin of origins) reader?.untrusted.note(origin);
  parent?.recordOrigins?.(origins);
  return markUntrusted(result, ...origins);
}

function originsReadBy(
  { tool, args, read }: CallRecord,
  { error }: ToolResult,
  files: FileOrigins | undefined,
): readonly Origin[] {
  const ran = !error || error.stage === 'execute' || error.stage === 'finish';
  const named = tool?.tracksOrigins ? undefined : files;
  const own = ran ? ((tool && originOf(tool, args)) ?? originIn(args, named)) : undefined;
  return distinct(own ? [own, ...read] : read);
}

/** Marks the files that a call may have written with others' words, where the tool doesn't do so itself. */
export async function noteWritten(
  { read, request: { turn, parent } }: CallRecord,
  { tool, args }: ToolCall,
  began: number,
  files: StoredFileOrigins | undefined,
): Promise<void> {
  if (!files || onlyReads(tool) || tool.tracksOrigins) return;
  const known = (turn ?? parent?.turn)?.untrusted.origins ?? [];
  const origin = [...known, ...read].at(-1) ?? originOf(tool, args) ?? originIn(args, files);
  if (origin) await files.noteNamed(stringsIn(args), began, origin);
}

/** Who wrote what the tool returns for these arguments; undefined when that is the owner or this home. */
export const originOf = ({ untrusted }: RegisteredTool, args: unknown): Origin | undefined =>
  typeof untrusted === 'function' ? untrusted(args) : untrusted;

/** Levels of arguments that are searched. */
const maxDepth = 8;

function originIn(value: unknown, files: FileOrigins | undefined, depth = 0): Origin | undefined {
  if (!files || depth > maxDepth) return undefined;
  if (typeof value === 'string') return files.namedIn(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const item of Object.values(value)) {
    const origin = originIn(item, files, depth + 1);
    if (origin) return origin;
  }
  return undefined;
}

/** Whether this call changes what later turns know or do. */
export const isGuarded = ({ guarded = false }: RegisteredTool, args: unknown): boolean =>
  typeof guarded === 'function' ? guarded(args) : guarded;

function isExempt(tool: RegisteredTool, { allowUntrusted, within = [] }: Scope): boolean {
  const lists = [
    allowUntrusted,
    ...within.flatMap((one) => (one.agent === undefined ? [] : [one.allowUntrusted])),
  ];
  return lists.every((list) => list && matchesTool(list, tool));
}

/** Why a call needs a confirmation because of what its turn has read; undefined when it needs none. */
export function untrustedReason(
  call: ToolCall,
  rule: ProvenanceRule,
  unknownAddresses: readonly string[],
): Reason | undefined {
  const { tool, args, turn, scope, prepared } = call;
  const origins = turn?.untrusted.origins ?? [];
  if (origins.length === 0) return undefined;
  if (isExempt(tool, scope)) return undefined;
  const read = `This conversation has read what others wrote (${describeOrigins(origins)}).`;
  if (isGuarded(tool, args) || tool.confirm === true)
    return { kind: 'untrusted', text: read, allowances: undefined };
  if (tool.annotations?.destructiveHint === true && !onlyReads(tool))
    return { kind: 'untrusted', text: read, allowances: prepared?.allowances };
  if (rule === 'guarded') return undefined;
  if (prepared?.discloses) return outgoingReason(prepared.discloses, read);
  if (unknownAddresses.length > 0) return outgoingReason(toUnknown(unknownAddresses), read);
  // A meta-tool does nothing by itself: the tool that it runs is checked in its own call.
  if (onlyReads(tool) || isMeta(tool)) return undefined;
  return { kind: 'untrusted', text: read, allowances: prepared?.allowances ?? allowancesOfTool(call) };
}

/** As declared by its manifest, its plugin, or the approved definition of its MCP server. */
const onlyReads = ({ annotations }: RegisteredTool): boolean => annotations?.readOnlyHint === true;

/** An answer for the conversation covers these hosts together. */
function toUnknown(addresses: readonly string[]): NonNullable<Prepared['discloses']> {
  const hosts = new Set(addresses.map((address) => URL.parse(address)?.host || address));
  const key = `web ${[...hosts].toSorted().join(' ')}`;
  const reason = `Nobody but the model may have written ${addresses.join(' and ')}, or what goes there, so it may leak data to its owner.`;
  return { reason, allowances: { offered: { conversation: key }, coveredBy: [key] } };
}

const outgoingReason = (
  { reason, allowances }: NonNullable<Prepared['discloses']>,
  read: string,
): Reason => ({
  kind: 'untrusted',
  text: `${reason} ${read}`,
  allowances,
});
