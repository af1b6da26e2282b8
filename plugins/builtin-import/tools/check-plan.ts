import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from 'pegboard';
import { findInjectionPatterns, linkOutOf, lintText, type WrittenManifest } from 'pegboard/kit';
import { hostOf } from './new-receivers.ts';
import { isUntouched, renderManifest } from './render-manifest.ts';
import type { LeftOutTool, NeededSecret, PlannedTool, ToolPlan } from './tool-plan.ts';

/**
 * new: it isn't there. changed: it is, from an earlier import, and the document says something else now. same: nothing
 * to do. kept: it isn't from an import of this source, or somebody has changed it.
 */
export type FileState = 'new' | 'changed' | 'same' | 'kept';

export interface PlannedFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly state: FileState;
  readonly manifest: WrittenManifest;
  /** What `pegboard lint` says of it, without errors. */
  readonly warnings: readonly Diagnostic[];
}

export interface CheckedPlan {
  readonly files: readonly PlannedFile[];
  /** Those that files of the import name. */
  readonly secrets: readonly NeededSecret[];
  readonly leftOut: readonly LeftOutTool[];
}

/** Lints each file before it is written. What could not be used, or gives a model orders, is left out with the reason. */
export async function checkPlan(
  home: string,
  { format, source, identity, space, tools, secrets, leftOut }: ToolPlan,
): Promise<CheckedPlan> {
  const root = join(home, 'spaces', space);
  const files: PlannedFile[] = [];
  const refused: LeftOutTool[] = [];
  const parts: LeftOutTool[] = [];
  for (const tool of tools) {
    const { manifest } = tool;
    const path = join(root, 'agent', 'tools', tool.folder ?? '', `${manifest.id}.md`);
    const from = `${format} ${identity ?? `${source} ${hostOf(manifest.http?.url ?? '')}`}`;
    const text = renderManifest(tool, from);
    const problem = await problemOf(path, text, { home, root, space, manifest });
    if (typeof problem === 'string') refused.push({ what: manifest.id, why: problem });
    else {
      files.push({ path, text, state: stateOf(path, text, from), manifest, warnings: problem });
      for (const { what, why } of tool.notTaken ?? []) parts.push({ what: `${manifest.id}, ${what}`, why });
    }
  }
  const isNamed = ({ name }: NeededSecret): boolean =>
    files.some(({ state, text }) => state !== 'kept' && text.includes(`\${${name}}`));
  return { files, secrets: secrets.filter(isNamed), leftOut: [...leftOut, ...refused, ...parts] };
}

interface Place {
  readonly home: string;
  readonly root: string;
  readonly space: string;
  readonly manifest: PlannedTool['manifest'];
}

/** Why it can't be written, or else the warnings about it. */
async function problemOf(
  path: string,
  text: string,
  { home, root, space, manifest }: Place,
): Promise<string | readonly Diagnostic[]> {
  const target = linkOutOf([home], path)?.target;
  if (target !== undefined) return `its folder is a link that leads out of the home, to ${target}`;
  const [order] = findInjectionPatterns({ ...manifest });
  if (order !== undefined) return `its text reads like an order to the model: ${order}`;
  const file = { path, kind: 'tool', root, boundary: [home, root], module: space } as const;
  const { diagnostics } = await lintText(file, text, new Set());
  const error = diagnostics.find(({ severity }) => severity === 'error');
  return error === undefined ? diagnostics : error.message;
}

function stateOf(path: string, text: string, source: string): FileState {
  if (!existsSync(path)) return 'new';
  const there = readFileSync(path, 'utf8');
  if (there === text) return 'same';
  return isUntouched(there, source) ? 'changed' : 'kept';
}
