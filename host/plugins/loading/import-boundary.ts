import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PegboardError } from '../../core/errors.ts';
import { codeFiles, codeRoot } from './folder-hash.ts';
import type { PluginManifest } from './manifest.ts';

type Code = Pick<PluginManifest, 'id' | 'folder' | 'dynamic'>;

/** Real paths of the files that are approved together, by the folder that they are approved in and the plugin's id. */
const approved = new Map<string, Map<string, ReadonlySet<string>>>();

/**
 * From now on the files of code that runs only as it was approved may import each other, those of other plugins in the
 * same folder, packages and what comes with Node and Pegboard: what else they named would run without anybody having
 * approved it. Other code may import anything.
 */
export function confineImports(code: Code, isPinned: boolean): void {
  const root = codeRoot(code);
  const byId = approved.get(root) ?? new Map<string, ReadonlySet<string>>();
  if (isPinned) byId.set(code.id, new Set(codeFiles(code).flatMap((path) => realPath(path) ?? [])));
  else byId.delete(code.id);
  if (byId.size > 0) approved.set(root, byId);
  else approved.delete(root);
}

/** Throws PEG_CONFIG for a file to begin with that is not approved with the plugin, if that is confined. */
export function requireApproved(code: Code, path: string): void {
  const files = approved.get(codeRoot(code))?.get(code.id);
  const real = realPath(path);
  if (files === undefined || real === undefined || files.has(real)) return;
  throw new PegboardError(
    'PEG_CONFIG',
    `${path} is not part of ${codeRoot(code)}, so nobody has approved it.`,
  );
}

/** Throws PEG_CONFIG when a confined file imports a file that is not approved with it. `url`: as Node resolved it. */
export function checkImport(url: string, parentUrl: string | undefined): void {
  if (parentUrl === undefined || approved.size === 0 || !isFile(url) || !isFile(parentUrl)) return;
  if (url.includes('/node_modules/')) return;
  const [path, parent] = [pathOf(url), pathOf(parentUrl)];
  const roots = [...approved].filter(([, byId]) => has(byId, parent));
  if (roots.length === 0 || roots.some(([, byId]) => has(byId, path))) return;
  throw new PegboardError(
    'PEG_CONFIG',
    `${parent} imports ${path}, which is not part of ${roots.map(([root]) => root).join(' or ')}, so nobody has approved it. Move it there, or make it a package in node_modules.`,
  );
}

const has = (byId: ReadonlyMap<string, ReadonlySet<string>>, path: string): boolean =>
  byId.values().some((files) => files.has(path));

const isFile = (url: string): boolean => url.startsWith('file:');
const pathOf = (url: string): string => fileURLToPath(url.split(/[?#]/)[0]!);

/** Undefined for what is not there. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
