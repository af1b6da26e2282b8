import type { Diagnostic } from '../../../api/diagnostic.ts';
import { withoutRepeatedLinks } from '../../../core/files/links.ts';
import { filesAt, homeFiles } from '../files/home-files.ts';
import { lintFile, type LintedTool } from './lint-file.ts';
import { lintNames, type RegisteredNames } from './lint-names.ts';
import { lintTool } from './lint-tool.ts';

/**
 * All problems in a home's files, or in those of `paths` (files and folders, absolute), in the order of the files. Runs
 * none of the files. `registeredNames`: names of built-in tools and those of plugins. Stricter than a host at startup:
 * it compiles schemas and checks examples.
 */
export async function lint(
  home: string,
  paths: readonly string[] = [],
  registeredNames: () => Promise<RegisteredNames> = async () => new Map(),
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const inHome = homeFiles(home);
  const chosen = paths.length === 0 ? inHome : paths.flatMap((path) => filesAt(home, path));
  const strays = chosen.filter((file) => !inHome.some(({ path }) => path === file.path));
  const judged = new Set(chosen.map(({ path }) => path));
  diagnostics.push(...paths.filter((path) => filesAt(home, path).length === 0).map(nothingThere));

  const tools: LintedTool[] = [];
  const servers = new Set<string>();
  for (const file of [...inHome, ...strays]) {
    const found = await lintFile(file);
    tools.push(...found.tools);
    for (const server of found.servers) servers.add(server);
    if (judged.has(file.path)) diagnostics.push(...found.diagnostics);
  }
  for (const tool of tools) {
    if (judged.has(tool.manifest.path)) diagnostics.push(...(await lintTool(tool, servers)));
  }
  diagnostics.push(
    ...lintNames(tools, tools.length > 0 ? await registeredNames() : new Map()).filter(({ path }) =>
      judged.has(path!),
    ),
  );
  return withoutRepeatedLinks(diagnostics);
}

function nothingThere(path: string): Diagnostic {
  return {
    severity: 'error',
    code: 'nothing-to-check',
    message: 'there is no file here that Pegboard reads',
    path,
    hint: 'name a manifest, a folder of them, or a file of the home',
  };
}
