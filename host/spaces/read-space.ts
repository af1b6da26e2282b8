import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Agent } from '../api/agent.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { JsonSchema } from '../api/result.ts';
import { toSandboxRule } from '../core/sandbox/rule.ts';
import type { Boundary } from '../core/files/links.ts';
import { readTextFile } from '../core/files/text-file.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import { agentSchema, spaceSchema } from '../core/documents/file-schemas.ts';
import { isFolder } from '../core/files/paths.ts';
import type { WrittenAgent } from '../formats/agent.ts';
import type { WrittenSandbox } from '../formats/sandbox.ts';
import type { WrittenSpace } from '../formats/space.ts';
import { createFileReader, readChecked, type KeptFile } from './file-reader.ts';
import { createIdentityReader } from './identity.ts';
import { pendingDiagnostics } from './pinned/pending-space.ts';
import { isPending, type PendingSpace } from './pinned/pending-space.ts';
import { createSkillReader } from './skills/read-skill.ts';
import type { Space, SpaceAgent } from './space.ts';
import { toAgent, type AgentPlace } from './written-agent.ts';

/** The folders under `<home>/spaces`, in the order of their names. */
export function spaceFolders(home: string): string[] {
  const root = join(home, 'spaces');
  return namesIn(root)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(root, name))
    .filter(isFolder);
}

/** The schema without tools: a mistake in a tool must not discard the space's name and blocked tools. */
const withoutTools: JsonSchema = {
  ...spaceSchema,
  properties: { ...spaceSchema.properties, tools: {} },
};

/**
 * Reads and rereads a space: its manifest, agents, skills and identity, but not its tools. Unchanged parts keep their
 * object identity, and a broken file keeps its last good version. `pendingIn` returns what is pending approval, which is
 * left out.
 */
export function createSpaceReader(
  { home, folder, userHome }: { readonly home: string; readonly folder: string; readonly userHome: string },
  pendingIn: (folder: string) => PendingSpace | undefined,
): { read(): Promise<Space> } {
  const id = basename(folder);
  const path = join(folder, 'space.manifest.json');
  const boundary = [home, folder];
  const manifests = createFileReader(boundary, (text, path) => readChecked(text, path, withoutTools));
  const agents = createAgentReader({ folder, space: id, userHome }, boundary);
  const skills = createSkillReader(join(folder, 'agent', 'skills'), boundary);
  const identity = createIdentityReader(join(folder, 'agent'), boundary);
  return {
    async read() {
      const pending = pendingIn(folder);
      if (pending?.whole) return pendingSpace(id, folder, pending, boundary);
      const isLeftOut = (path: string): boolean => pending !== undefined && isPending(pending, folder, path);
      const file = await manifests.read(path);
      const manifest = (file?.value?.value ?? {}) as WrittenSpace;
      const found = await agents.read(manifest.blockedTools ?? []);
      const known = { skills: await skills.read(isLeftOut), identity: await identity.read(isLeftOut) };
      // Without a valid manifest it is unknown which tools the space blocks.
      const isLost = file !== undefined && file.value === undefined;
      return {
        id,
        name: manifest.name ?? id,
        description: manifest.description ?? `Tools of the space ${id}`,
        folder,
        manifest: file?.value,
        sandbox: toSandboxRule(isLost ? lostSandbox(path, boundary) : manifest.sandbox, folder, userHome),
        agents: isLost ? [] : found.agents,
        lostDefault: found.lostDefault,
        skills: known.skills.skills,
        identity: known.identity.identity,
        pending,
        diagnostics: [
          ...pendingDiagnostics(folder, pending),
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

/** A space that is pending approval as a whole. Nothing in its files takes effect. */
function pendingSpace(id: string, folder: string, pending: PendingSpace, boundary: Boundary): Space {
  const diagnostics = pendingDiagnostics(folder, pending);
  // A space that was never approved can't take the place of the default agent.
  const hadDefault = pending.known && pathsOfAgents(folder).some((path) => mayBeDefault(path, boundary));
  const lostDefault = hadDefault ? diagnostics[0] : undefined;
  const description = 'Pending approval';
  const nothing = {
    manifest: undefined,
    sandbox: undefined,
    agents: [],
    lostDefault,
    skills: [],
    identity: {},
  };
  return { id, name: id, description, folder, ...nothing, pending, diagnostics };
}

/** The sandbox of a space with a broken manifest: the strictest, if it mentions one at all. */
function lostSandbox(path: string, boundary: Boundary): WrittenSandbox | undefined {
  return readTextFile(path, boundary).text?.includes('"sandbox"') ? 'strict' : undefined;
}

function otherId(
  file: KeptFile<SourceDocument> | undefined,
  manifest: WrittenSpace,
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
  readonly lostDefault: Diagnostic | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function createAgentReader(
  { folder, space, userHome }: Pick<AgentPlace, 'folder' | 'space' | 'userHome'>,
  boundary: Boundary,
): { read(blockedTools: readonly string[]): Promise<FoundAgents> } {
  const single = singleAgentFile(folder);
  const reader = createFileReader(boundary, (text, path) => readChecked(text, path, agentSchema));
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
    const agent = toAgent(written, {
      id: idOf(path, written),
      space,
      folder,
      file: path,
      blockedTools,
      userHome,
    });
    made.set(document, { blocks, made: { agent, document } });
    return { agent, document };
  };
  return {
    async read(blockedTools) {
      const diagnostics: Diagnostic[] = [];
      const agents: SpaceAgent[] = [];
      let lostDefault: Diagnostic | undefined;
      for (const path of pathsOfAgents(folder)) {
        const file = await reader.read(path);
        if (path === single && !file)
          agents.push({
            agent: defaultAgent({ space, folder, blockedTools, userHome }),
            document: undefined,
          });
        if (!file) continue;
        diagnostics.push(...file.diagnostics);
        if (!file.value) {
          if (mayBeDefault(path, boundary)) lostDefault ??= file.diagnostics[0];
          continue;
        }
        const one = agentOf(path, file.value, blockedTools);
        const rival = agents.find(({ agent }) => agent.id === one.agent.id);
        if (rival) diagnostics.push(duplicateAgent(one, rival));
        else agents.push(one);
      }
      return { agents, lostDefault, diagnostics };
    },
  };
}

/** By its text, since a broken file has no values. */
const mayBeDefault = (path: string, boundary: Boundary): boolean =>
  /^["']?default["']?\s*:\s*true\b/m.test(readTextFile(path, boundary).text ?? '');

/** The agent of a space without agent.yaml, which may have other agents too. */
function defaultAgent(place: Omit<AgentPlace, 'id' | 'file'>): Agent {
  return toAgent({}, { ...place, id: place.space, file: singleAgentFile(place.folder) });
}

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

/** Of the space's own agent, which has the space's id. */
export const singleAgentFile = (folder: string): string => join(folder, 'agent', 'agent.yaml');

/** Its own agent's file, which need not exist, and those of the others. */
function pathsOfAgents(folder: string): string[] {
  const others = ['agents', join('agent', 'agents')].flatMap((part) =>
    namesIn(join(folder, part))
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => join(folder, part, name)),
  );
  return [singleAgentFile(folder), ...others];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
