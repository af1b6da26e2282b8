import type { Diagnostic } from '../api/diagnostic.ts';
import { sourceKinds, type Listing, type Snapshot, type ToolSource } from '../api/source.ts';
import type { RegisteredTool, Tool } from '../api/tool.ts';
import { nearest } from '../core/documents/nearest.ts';
import {
  formsByServer,
  formsOf,
  looseKeysOf,
  qualifiedWireName,
  serverOf,
  toHashedWireName,
  toWireName,
} from './names.ts';

export interface ListedSource {
  readonly source: ToolSource;
  readonly listing: Listing;
}

/** Builds the snapshot of all listings. The first source wins a name; every loser is reported with both paths. */
export function buildSnapshot(
  version: number,
  listed: readonly ListedSource[],
  absent: Snapshot['absent'],
): Snapshot {
  const diagnostics = new Map<ToolSource, Diagnostic[]>();
  const tools = new Map<string, RegisteredTool>();
  const bare = new Map<string, RegisteredTool>();
  const byWireName = new Map<string, RegisteredTool>();
  const ordered = sourceKinds.flatMap((kind) => listed.filter(({ source }) => source.kind === kind));

  for (const { source, listing } of ordered) {
    const own = [...(listing.diagnostics ?? [])];
    diagnostics.set(source, own);
    for (const tool of listing.tools) {
      const id = `${source.module}.${tool.name}`;
      const rival = tools.get(id);
      if (rival) {
        own.push(duplicateId(id, { source, tool }, rival));
        continue;
      }
      const holder = bare.get(tool.name);
      const bareWins = holder === undefined && source.kind !== 'mcp';
      if (holder && source.kind !== 'mcp') own.push(shadowedName(id, { source, tool }, holder));
      const owner = source.kind === 'mcp' ? serverOf(source) : source.module;
      const preferred = bareWins ? toWireName(tool.name) : qualifiedWireName(owner, tool.name);
      const wireName = freeWireName(preferred, id, byWireName);
      const registered: RegisteredTool = { ...tool, id, wireName, source };
      tools.set(id, registered);
      byWireName.set(wireName, registered);
      if (!holder) bare.set(tool.name, registered);
    }
  }
  return createSnapshot(
    version,
    tools,
    bare,
    byWireName,
    ordered.map(({ source }) => source),
    diagnostics,
    absent,
  );
}

/** A foreign tool's name may equal another tool's hashed name, by chance or on purpose. */
function freeWireName(preferred: string, id: string, taken: ReadonlyMap<string, unknown>): string {
  let name = preferred;
  for (let more = ''; taken.has(name); more += '#') name = toHashedWireName(id + more);
  return name;
}

function createSnapshot(
  version: number,
  tools: ReadonlyMap<string, RegisteredTool>,
  bare: ReadonlyMap<string, RegisteredTool>,
  byWireName: ReadonlyMap<string, RegisteredTool>,
  sources: readonly ToolSource[],
  diagnostics: ReadonlyMap<ToolSource, readonly Diagnostic[]>,
  absent: Snapshot['absent'],
): Snapshot {
  let forms: Map<string, RegisteredTool> | undefined;
  const byForm = (name: string): RegisteredTool | undefined => {
    if (!forms) {
      forms = new Map();
      for (const tool of tools.values())
        for (const form of formsOf(tool)) if (!forms.has(form)) forms.set(form, tool);
      // Last, what a server is called whose module has another name.
      for (const tool of tools.values())
        for (const form of formsByServer(tool)) if (!forms.has(form)) forms.set(form, tool);
    }
    return forms.get(name);
  };
  /** Undefined: several tools are called like that. */
  let loose: Map<string, RegisteredTool | undefined> | undefined;
  const byLooseName = (name: string): RegisteredTool | undefined => {
    if (!loose) {
      loose = new Map();
      const add = (form: string, tool: RegisteredTool): void => {
        const [key] = looseKeysOf(form);
        loose!.set(key!, !loose!.has(key!) || loose!.get(key!) === tool ? tool : undefined);
      };
      for (const tool of tools.values()) for (const form of formsOf(tool)) add(form, tool);
      for (const [form, tool] of bare) add(form, tool);
    }
    return looseKeysOf(name)
      .map((key) => loose!.get(key))
      .find((tool) => tool !== undefined);
  };
  return Object.freeze({
    version,
    tools,
    sources,
    diagnostics: [...diagnostics.values()].flat(),
    absent,
    diagnosticsOf: (source: ToolSource) => diagnostics.get(source) ?? [],
    // Wire names come before bare names, which another server may choose freely.
    find: (name: string) =>
      tools.get(name) ?? byWireName.get(name) ?? bare.get(name) ?? byForm(name) ?? byLooseName(name),
    suggest: (name: string) => {
      const wanted = name.replace(/^mcp__/, '').replace('__', '.');
      const ids = nearest(wanted, tools.keys(), 3);
      const byBareName = nearest(wanted.split('.').at(-1)!, bare.keys(), 3).map(
        (found) => bare.get(found)!.id,
      );
      return [...new Set([...ids, ...byBareName])].slice(0, 3);
    },
  });
}

interface Placed {
  readonly source: ToolSource;
  readonly tool: Tool;
}
const placeOf = ({ source, tool }: Placed): string => tool.origin ?? source.origin ?? source.id;

function duplicateId(id: string, loser: Placed, winner: RegisteredTool): Diagnostic {
  return {
    severity: 'error',
    code: 'duplicate-id',
    message: `${id} is defined twice: ${placeOf({ source: winner.source, tool: winner })} is used, ${placeOf(loser)} is not`,
    path: placeOf(loser),
    hint: 'give one of them another id',
  };
}

function shadowedName(id: string, loser: Placed, winner: RegisteredTool): Diagnostic {
  return {
    severity: 'warning',
    code: 'shadowed-name',
    message: `"${loser.tool.name}" means ${winner.id} (${placeOf({ source: winner.source, tool: winner })}); ${placeOf(loser)} is called by its full name, ${id}`,
    path: placeOf(loser),
  };
}
