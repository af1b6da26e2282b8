/** What goes between the host and the screen of manifests. Types only, as in ../wire.ts. */
import type { JsonSchema } from 'pegboard/browser';
import type { DiagnosticRow } from '../wire.ts';

/** A tool, an agent, a skill, a space or a plugin. */
export type ManifestKind = 'tool' | 'agent' | 'skill' | 'space' | 'plugin';

/** A manifest in the list. */
export interface ManifestRow {
  /** In the home, with "/" between its parts. */
  readonly path: string;
  readonly kind: ManifestKind;
  /** What it describes: the id of a tool that is in service, otherwise its file's name. */
  readonly name: string;
  readonly errors: number;
  readonly warnings: number;
}

/** A text as it stands on disk. */
export interface StoredText {
  readonly text: string;
  /** Identifies it. */
  readonly hash: string;
}

export interface ManifestDetails {
  readonly path: string;
  readonly kind: ManifestKind;
  /** Absent while there is no such file. */
  readonly stored?: StoredText;
  /** Why it can't be read. */
  readonly problem?: string;
  /** Why it can't be changed here. */
  readonly locked?: string;
  readonly service: ManifestService;
}

/** What the running host has made of the file. */
export interface ManifestService {
  /** The tool, agent or skill that is in service because of it; of a broken file, its last good version. */
  readonly name?: string;
  readonly diagnostics: readonly DiagnosticRow[];
}

/** What the host would make of a text. */
export interface LintAnswer {
  readonly diagnostics: readonly DiagnosticRow[];
  /** What models would be shown of it; none while an error prevents that. */
  readonly shown: readonly ShownToModels[];
}

export interface ShownToModels {
  /** Who is shown it, and when: "Models, as a tool". */
  readonly where: string;
  readonly name: string;
  readonly description: string;
  readonly parameters?: JsonSchema;
  /** What else they are shown. */
  readonly text?: string;
  /** An estimate. */
  readonly tokens: number;
}

/** `saved`: false, and nothing was written, when the file isn't what was opened. */
export type SaveAnswer =
  | { readonly saved: true; readonly now: ManifestDetails }
  | {
      readonly saved: false;
      /** What is there instead; absent when the file is gone. */
      readonly stored?: StoredText;
    };

export interface TemplateAnswer {
  readonly path: string;
  readonly text: string;
}
