import type { Agent, Identity } from '../api/agent.ts';
import type { SandboxRule } from '../api/sandbox.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import type { PendingSpace } from './pinned/pending-space.ts';
import type { LoadedSkill } from './skills/read-skill.ts';

/** A folder under spaces/ with its agents. */
export interface Space {
  /** The folder's name, which is also the module of its tools. */
  readonly id: string;
  readonly name: string;
  /** The purpose of its tools in one sentence. Searched. */
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  /**
   * A space without an agent file has a default agent that sees every tool. Empty while its only agent file is broken and
   * has no good version, so that no agent has more rights than intended.
   */
  readonly agents: readonly SpaceAgent[];
  /** Why the agent that a file of this space makes the home's default is not in service. */
  readonly lostDefault: Diagnostic | undefined;
  /** Its space.manifest.json with positions. Undefined without one, and while it is broken. */
  readonly manifest: SourceDocument | undefined;
  /** Applies to the programs that its tools start. */
  readonly sandbox: SandboxRule | undefined;
  readonly skills: readonly LoadedSkill[];
  readonly identity: Identity;
  /** What is pending approval. A space that is pending as a whole has no agents, tools and skills. */
  readonly pending: PendingSpace | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** An agent and its file. A changed file leads to a new object. */
export interface SpaceAgent {
  readonly agent: Agent;
  /** The parsed file with positions. Undefined for a default agent. */
  readonly document: SourceDocument | undefined;
}
