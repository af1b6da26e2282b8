import type { Diagnostic } from '../api/diagnostic.ts';
import type { PermissionRules } from '../api/agent.ts';
import type { Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { pointerTo } from '../core/documents/pointer.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import { matchesTool } from '../core/text/glob.ts';
import { nearest } from '../core/documents/nearest.ts';
import { problemOf } from '../dispatch/permissions/check-rule.ts';
import { afterMcp, plain } from '../dispatch/permissions/names-of-others.ts';
import { concernsTool, partsOf } from '../dispatch/permissions/rule.ts';
import type { KnownModules } from './known-modules.ts';
import type { WrittenAgent } from '../formats/agent.ts';
import type { WrittenConfig } from '../formats/config.ts';
import type { WrittenPermissions } from '../formats/permissions.ts';

/** By the key of agent.yaml: what an entry that names no tool fails to do. */
const lists = { blockedTools: 'blocks nothing', allow_untrusted: 'allows nothing' } as const;
const ruleLists = { allow: 'allows nothing', ask: 'asks about nothing', deny: 'refuses nothing' } as const;

/** One entry of a list. */
interface Entry {
  /** Its list, for people: "permissions.deny". */
  readonly list: string;
  readonly pointer: string;
  readonly text: string;
  /** The tool's name or pattern in it. */
  readonly tool: string;
  /** What it fails to do where there is no such tool. */
  readonly withoutTool: string;
  /** Of a permission rule. */
  readonly kind?: keyof PermissionRules;
}

/**
 * Entries of the lists of tools of an agent, of a space's manifest or of pegboard.yaml that mean no tool, and those that
 * allow everything or nothing. A pattern may well wait for tools to come, but a name that is misspelt leaves the tool open
 * that was meant to be blocked. `fileOf`: the file of the value at a JSON pointer; default: the document's.
 */
export function checkToolLists(
  document: SourceDocument,
  snapshot: Snapshot,
  modules: KnownModules,
  fileOf: (pointer: string) => string = () => document.path,
): readonly Diagnostic[] {
  return entriesIn(document).flatMap((entry): Diagnostic[] => {
    const { list, pointer, text, tool, kind } = entry;
    // A rule that refuses or asks, and can't, leaves open what was meant to be closed.
    const restricts = kind === 'deny' || kind === 'ask';
    const report = (code: string, message: string, hint?: string): Diagnostic => ({
      severity: restricts && code !== 'concerns-every-call' ? 'error' : 'warning',
      code,
      message: `${list}: ${message}`,
      path: fileOf(pointer),
      ...document.locate(pointer),
      ...(hint !== undefined && { hint }),
    });
    if (list === 'allow_untrusted' && allowsAll(text))
      return [
        report(
          'allows-everything',
          `"${text}" lets the authors of untrusted content use every tool`,
          'name the tools that it needs',
        ),
      ];
    if (kind === 'allow' && allowsAll(text))
      return [report('allows-everything', `"${text}" allows every call`, 'name the tools and their calls')];
    const isMeant = (one: RegisteredTool): boolean =>
      kind ? concernsTool(tool, one) : matchesTool([tool], one);
    const meant = [...snapshot.tools.values()].filter(isMeant);
    const problem = kind && meant.length > 0 ? problemOf(text, kind, meant) : undefined;
    if (problem !== undefined) return [report(problem.code, `"${text}" ${problem.text}`)];
    if (meant.length > 0 || mayComeTrue(tool, modules)) return [];
    const near = nearTo(tool, snapshot, modules);
    // A server that was never connected may have it.
    const isSure = [...modules.values()].every(({ actions }) => actions !== undefined);
    if (near === undefined && !isSure && !tool.includes('.')) return [];
    return [
      report(
        'unknown-tool',
        `"${text}" ${entry.withoutTool}: this home has no such tool at the moment`,
        near === undefined ? undefined : `${tool} → ${near}?`,
      ),
    ];
  });
}

function entriesIn({ value }: SourceDocument): readonly Entry[] {
  const written = (value ?? {}) as Pick<WrittenAgent, keyof typeof lists> &
    Pick<WrittenConfig, 'permissions'>;
  const keys = Object.keys(lists) as (keyof typeof lists)[];
  const { agents = {}, ...own } = written.permissions ?? {};
  return [
    ...keys.flatMap((key) =>
      (written[key] ?? []).map((text, index) => ({
        list: key,
        pointer: pointerTo(key, index),
        text,
        tool: text,
        withoutTool: lists[key],
      })),
    ),
    ...rulesIn(own, ['permissions']),
    ...Object.entries(agents).flatMap(([id, rules]) => rulesIn(rules, ['permissions', 'agents', id])),
  ];
}

const rulesIn = (rules: WrittenPermissions, at: readonly string[]): readonly Entry[] =>
  (Object.keys(ruleLists) as (keyof PermissionRules)[]).flatMap((kind) =>
    (rules[kind] ?? []).map((text, index) => ({
      list: [...at, kind].join('.'),
      pointer: pointerTo(...at, kind, index),
      text,
      tool: partsOf(text).tool,
      withoutTool: ruleLists[kind],
      kind,
    })),
  );

/** Whether a list allows all tools. */
export const allowsAll = (pattern: string): boolean => /^[*.]+(?:\(\**\))?$/.test(pattern);

/** Of a module whose tools aren't known yet, or any tool that is called like this. */
function mayComeTrue(pattern: string, modules: KnownModules): boolean {
  const server = afterMcp(pattern);
  if (server !== undefined)
    return [...modules].some(
      ([module, { kind, actions }]) =>
        kind === 'mcp' &&
        (server === plain(module) || (actions === undefined && server.startsWith(`${plain(module)}__`))),
    );
  const { module, rest } = split(pattern);
  const known = modules.get(module);
  if (known && (rest === undefined || known.actions === undefined)) return true;
  return pattern.includes('*') && (known !== undefined || rest === undefined || module.includes('*'));
}

function nearTo(pattern: string, { tools }: Snapshot, modules: KnownModules): string | undefined {
  const { module, rest } = split(pattern);
  if (rest === undefined) {
    const names = [...tools.values()].map(({ name }) => name);
    return nearest(pattern, new Set([...names, ...modules.keys()]))[0];
  }
  if (modules.has(module)) return nearest(pattern, tools.keys())[0];
  const [near] = nearest(module, modules.keys());
  return near === undefined ? nearest(pattern, tools.keys())[0] : `${near}.${rest}`;
}

/** "filesystem.read" → filesystem, read. A name without a dot may be a tool's or a module's. */
function split(pattern: string): { readonly module: string; readonly rest: string | undefined } {
  const dot = pattern.indexOf('.');
  return dot < 0
    ? { module: pattern, rest: undefined }
    : { module: pattern.slice(0, dot), rest: pattern.slice(dot + 1) };
}
