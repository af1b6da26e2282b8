import type { Agent, Identity } from '../api/agent.ts';
import type { SandboxRule } from '../api/sandbox.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import type { PendingSpace } from './pinned/space-pins.ts';
import type { LoadedSkill } from './skills/read-skill.ts';

/** A folder under spaces/, and who acts in it. */
export interface Space {
  /** The folder's name: the module of its tools. */
  readonly id: string;
  readonly name: string;
  /** What its tools are for, in a sentence; searched. */
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  /**
   * A space without a file for one has a default agent that sees every tool. None while the only file is broken and
   * was never good: an agent must not have more rights than somebody meant to give it.
   */
  readonly agents: readonly SpaceAgent[];
  /** Of the programs that its tools start. */
  readonly sandbox: SandboxRule | undefined;
  readonly skills: readonly LoadedSkill[];
  readonly identity: Identity;
  /** What of it waits for its owner to accept it. Where that is all of it, it has no agents, tools and skills. */
  readonly pending: PendingSpace | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** An agent and its file. Another object means that the file says something else. */
export interface SpaceAgent {
  readonly agent: Agent;
  /** Tells where everything in the file stands; undefined for a default agent. */
  readonly document: SourceDocument | undefined;
}
