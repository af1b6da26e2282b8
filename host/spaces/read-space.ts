import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Agent } from '../api/agent.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { JsonSchema } from '../api/result.ts';
import { toSandboxRule, type WrittenSandbox } from '../core/sandbox/rule.ts';
import { readTextFile } from '../core/files/text-file.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import { agentSchema, spaceSchema } from '../core/documents/file-schemas.ts';
import { isFolder } from '../core/files/paths.ts';
import { createFileReader, readChecked, type KeptFile } from './file-reader.ts';
import { createIdentityReader } from './identity.ts';
import { pendingDiagnostics } from './pinned/held-diagnostics.ts';
import { isPending, type PendingSpace } from './pinned/space-pins.ts';
import { createSkillReader } from './skills/read-skill.ts';
import type { Space, SpaceAgent } from './space.ts';
import { toAgent, type WrittenAgent } from './written-agent.ts';

/** The folders under `<home>/spaces`, in the order of their names. */
export function spaceFolders(home: string): string[] {
  const root = join(home, 'spaces');
  return namesIn(root)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(root, name))
    .filter(isFolder);
}

interface SpaceFile {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly blockedTools?: readonly string[];
  readonly sandbox?: WrittenSandbox;
}

/** A tool that is wrong costs its own entry, not the space's name and blocks. */
const withoutTools: JsonSchema = {
  ...spaceSchema,
  properties: { ...spaceSchema.properties, tools: {} },
};

/**
 * Reads a space again and again: its manifest, agents, skills and identity. The tools are its sources' to read. What
 * has not changed stays the same object; of a broken file the last good version stays in service. `heldIn`: what of it
 * waits for its owner, and is left out.
 */
export function createSpaceReader(
  folder: string,
  heldIn: (folder: string) => PendingSpace | undefined,
): { read(): Promise<Space> } {
  const id = basename(folder);
  const path = join(folder, 'space.manifest.json');
  const manifests = createFileReader((text, path) => readChecked(text, path, withoutTools));
  const agents = createAgentReader(folder, id);
  const skills = createSkillReader(join(folder, 'agent', 'skills'));
  const identity = createIdentityReader(join(folder, 'agent'));
  return {
    async read() {
      const held = heldIn(folder);
      if (held?.whole) return heldSpace(id, folder, held);
      const isLeftOut = (path: string): boolean => held !== undefined && isPending(held, folder, path);
      const file = await manifests.read(path);
      const manifest = (file?.value?.value ?? {}) as SpaceFile;
      const found = await agents.read(manifest.blockedTools ?? []);
      const known = { skills: await skills.read(isLeftOut), identity: await identity.read(isLeftOut) };
      // What the manifest blocks is not known while it was never good.
      const isLost = file !== undefined && file.value === undefined;
      return {
        id,
        name: manifest.name ?? id,
        description: manifest.description ?? `Tools of the space ${id}`,
        folder,
        sandbox: toSandboxRule(isLost ? lostSandbox(path) : manifest.sandbox, folder),
        agents: isLost ? [] : found.agents,
        skills: known.skills.skills,
        identity: known.identity.identity,
        held,
        diagnostics: [
          ...pendingDiagnostics(folder, held),
          ...(file?.diagnostics ?? []),
          ...otherId(file, manifest, id),
          ...found.diagnostics,
          ...known.skills.diagnostics,
          ...known.identity.diagnostics,
        ],
      };
    },
  };
}

/** Nothing of it is read. */
function heldSpace(id: string, folder: string, held: PendingSpace): Space {
  const diagnostics = pendingDiagnostics(folder, held);
  const description = 'Held back until you have looked at it';
  const nothing = { sandbox: undefined, agents: [], skills: [], identity: {} };
  return { id, name: id, description, folder, ...nothing, held, diagnostics };
}

/** Nor is known how it confines its programs, if it does. */
function lostSandbox(path: string): WrittenSandbox | undefined {
  return readTextFile(path).text?.includes('"sandbox"') ? 'strict' : undefined;
}

function otherId(
  file: KeptFile<SourceDocument> | undefined,
  manifest: SpaceFile,
  id: string,
): readonly Diagnostic[] {
  if (!file?.value || manifest.id === undefined || manifest.id === id) return [];
  return [
    {
      severity: 'warning',
      code: 'other-id',
      message: `the space's id is its folder's name, "${id}", not "${manifest.id}"`,
      path: file.path,
      ...file.value.locate('/id'),
      hint: `"id": "${id}"`,
    },
  ];
}

interface FoundAgents {
  readonly agents: readonly SpaceAgent[];
  readonly diagnostics: readonly Diagnostic[];
}

function createAgentReader(
  folder: string,
  space: string,
): { read(blockedTools: readonly string[]): Promise<FoundAgents> } {
  const single = join(folder, 'agent', 'agent.yaml');
  const reader = createFileReader((text, path) => readChecked(text, path, agentSchema));
  const made = new WeakMap<SourceDocument, { readonly blocks: string; readonly made: SpaceAgent }>();

  const idOf = (path: string, written: WrittenAgent): string =>
    path === single
      ? (written.id ?? space)
      : `${space}/${written.id ?? basename(path).replace(/\.ya?ml$/, '')}`;
  const agentOf = (path: string, document: SourceDocument, blockedTools: readonly string[]): SpaceAgent => {
    const blocks = JSON.stringify(blockedTools);
    const before = made.get(document);
    if (before?.blocks === blocks) return before.made;
    const written = (document.value ?? {}) as WrittenAgent;
    const agent = toAgent(written, { id: idOf(path, written), space, folder, blockedTools });
    made.set(document, { blocks, made: { agent, document } });
    return { agent, document };
  };
  return {
    async read(blockedTools) {
      const diagnostics: Diagnostic[] = [];
      const agents: SpaceAgent[] = [];
      for (const path of [single, ...agentFiles(folder)]) {
        const file = await reader.read(path);
        if (path === single && !file)
          agents.push({ agent: defaultAgent(space, folder, blockedTools), document: undefined });
        if (!file) continue;
        diagnostics.push(...file.diagnostics);
        if (!file.value) continue;
        const one = agentOf(path, file.value, blockedTools);
        const rival = agents.find(({ agent }) => agent.id === one.agent.id);
        if (rival) diagnostics.push(duplicateAgent(one, rival));
        else agents.push(one);
      }
      return { agents, diagnostics };
    },
  };
}

/** Who acts in a space without an agent.yaml, also beside others. */
export function defaultAgent(space: string, folder: string, blockedTools: readonly string[]): Agent {
  return toAgent({}, { id: space, space, folder, blockedTools });
}

/** Both have files: they are two. */
export function duplicateAgent({ agent, document }: SpaceAgent, rival: SpaceAgent): Diagnostic {
  return {
    severity: 'error',
    code: 'duplicate-agent',
    message: `there are two agents "${agent.id}": the one of ${rival.document?.path ?? rival.agent.folder} is used, this one is not`,
    path: document?.path ?? agent.folder,
    ...document?.locate('/id'),
    hint: 'give one of them another id',
  };
}

function agentFiles(folder: string): string[] {
  return ['agents', join('agent', 'agents')].flatMap((part) =>
    namesIn(join(folder, part))
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => join(folder, part, name)),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
