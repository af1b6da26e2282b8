import { existsSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { PegboardError } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { diffOf } from 'pegboard/files';
import { existsAlready, skillFile } from 'pegboard/home';
import { lintText } from 'pegboard/kit';
import {
  findManifest,
  lockOf,
  manifestsOf,
  templateOf,
  type ManifestFile,
} from '../manifests/find-manifest.ts';
import { shownToModels } from '../manifests/shown-to-models.ts';
import { readStored, writeStored } from '../manifests/stored-text.ts';
import type {
  LintAnswer,
  ManifestDetails,
  ManifestRow,
  ManifestService,
  SaveAnswer,
  TemplateAnswer,
} from '../manifests/wire.ts';
import { toDiagnosticRow } from './diagnostic-row.ts';
import { requireProof, textIn, type ApiHandlers } from './handler.ts';

/** The home's manifests: their texts, what a text would become, and changes of them. */
export function manifestHandlers(host: Host): ApiHandlers {
  const { home } = host;
  const find = (path: readonly string[]): ManifestFile => findManifest(home, path.join('/'));
  return {
    'GET manifests': () => ({ manifests: listManifests(host) }),
    'GET manifest': ({ path }) => detailsOf(host, find(path)),
    'GET template': ({ query }): TemplateAnswer => {
      const asked = (name: string): string => query.get(name) ?? '';
      const { path, text } = templateOf(home, asked('kind'), asked('name'), asked('space'));
      if (existsSync(path)) throw existsAlready(path);
      return { path: relative(home, path).split(sep).join('/'), text };
    },
    'POST manifest': async (request): Promise<SaveAnswer> => {
      requireProof(request);
      const { path, body } = request;
      const file = find(path);
      const locked = lockOf(host, file);
      if (locked !== undefined) throw new PegboardError('PEG_DENIED', `It was not saved. ${locked}`);
      const base = body['base'] === null ? undefined : textIn(body, 'base');
      if (!(await writeStored(home, file, textIn(body, 'text'), base)))
        return { saved: false, ...readStored(file) };
      await host.spaces.changed([file.path]);
      await host.registry.settled();
      return { saved: true, now: detailsOf(host, file) };
    },
    'POST manifest-lint': async ({ path, body }) => lint(host, find(path), textIn(body, 'text')),
    'POST manifest-diff': ({ body }) => ({
      diff: diffOf(textIn(body, 'before'), textIn(body, 'after'), { maxLines: maxDiffLines }),
    }),
  };
}

const maxDiffLines = 2_000;

async function lint(host: Host, file: ManifestFile, text: string): Promise<LintAnswer> {
  const { home } = host;
  const servers = new Set(host.config.servers.keys());
  const { diagnostics, tools } = await lintText(file, text, servers);
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  return {
    diagnostics: diagnostics.slice(0, maxDiagnostics).map((one) => toDiagnosticRow(one, home)),
    shown: isBroken ? [] : await shownToModels(host, file, text, tools),
  };
}

/** More of them help nobody. */
const maxDiagnostics = 200;

function listManifests(host: Host): readonly ManifestRow[] {
  const problems = new Map<string, { errors: number; warnings: number }>();
  for (const { path, severity } of host.diagnostics) {
    if (path === undefined) continue;
    const counts = problems.get(path) ?? { errors: 0, warnings: 0 };
    counts[severity === 'error' ? 'errors' : 'warnings']++;
    problems.set(path, counts);
  }
  const names = namesInService(host);
  return manifestsOf(host.home).map((file) => ({
    path: file.name,
    kind: file.kind,
    name: names.get(file.path) ?? nameByPath(file),
    ...(problems.get(file.path) ?? { errors: 0, warnings: 0 }),
  }));
}

/** The tools, agents and skills that are in service, by their files. */
function namesInService({ registry, spaces }: Host): ReadonlyMap<string, string> {
  return new Map([
    ...spaces.agents.flatMap(({ id }) => {
      const file = spaces.fileOf(id);
      return file === undefined ? [] : [[file, id] as const];
    }),
    ...spaces.all.flatMap(({ skills }) => skills.map(({ skill }) => [skill.path, skill.name] as const)),
    ...registry.snapshot.tools
      .values()
      .filter(({ source, origin }) => source.kind !== 'space' && origin !== undefined)
      .map(({ origin, id }) => [origin!, id] as const),
  ]);
}

/** What a manifest is called by its place, when it is broken or not in service. */
function nameByPath({ path, root, kind }: ManifestFile): string {
  if (kind === 'space' || kind === 'plugin') return basename(root);
  const name = basename(path);
  return name === skillFile ? basename(dirname(path)) : name.replace(/\.\w+$/, '');
}

function detailsOf(host: Host, file: ManifestFile): ManifestDetails {
  const locked = lockOf(host, file);
  return {
    path: file.name,
    kind: file.kind,
    ...readStored(file),
    ...(locked !== undefined && { locked }),
    service: serviceOf(host, file),
  };
}

function serviceOf(host: Host, file: ManifestFile): ManifestService {
  const name = namesInService(host).get(file.path);
  return {
    ...(name !== undefined && { name }),
    diagnostics: host.diagnostics
      .filter(({ path }) => path === file.path)
      .slice(0, maxDiagnostics)
      .map((one) => toDiagnosticRow(one, host.home)),
  };
}
