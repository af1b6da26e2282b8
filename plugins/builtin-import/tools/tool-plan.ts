import type { WrittenManifest } from 'pegboard/kit';

/** What a tool is to be, before its file is written. */
export interface PlannedTool {
  /** Its folder below agent/tools: a tag of an API, a folder of a collection. */
  readonly folder?: string;
  readonly manifest: WrittenManifest;
  /** Markdown for people. */
  readonly documentation: string;
  /** Parts of its source that it doesn't have. */
  readonly notTaken?: readonly LeftOutTool[];
}

/** A secret that the tools name. */
export interface NeededSecret {
  readonly name: string;
  /** Where it is used: "the header Authorization". */
  readonly use: string;
  /** As it was given, if it was. */
  readonly value?: string;
  /** The person types `user:password`, and its Base64 form is stored. */
  readonly isUserAndPassword?: boolean;
}

/** Something that doesn't become a tool, or a part of one. */
export interface LeftOutTool {
  readonly what: string;
  readonly why: string;
}

/** The tools that are made of a document, a folder or a command line. */
export interface ToolPlan {
  /** The command that made the plan: `import openapi`. */
  readonly format: 'openapi' | 'postman' | 'curl' | 'scripts';
  /** The title of the document, or what else it is. */
  readonly source: string;
  /** What no other source has, where it says so: titles such as "New Collection" are those of many. */
  readonly identity?: string | undefined;
  /** The space that the tools go into. */
  readonly space: string;
  readonly tools: readonly PlannedTool[];
  readonly secrets: readonly NeededSecret[];
  /** What the owner should know before they agree. */
  readonly notes: readonly string[];
  readonly leftOut: readonly LeftOutTool[];
}
