/** What goes between a host and the page about settings and checks. Types only. */
import type { Check } from 'pegboard/browser';
import type { DiagnosticRow } from '../wire.ts';

export type { Check };

/** `model` asks the model, and `database` reads all of it: these run on request alone. */
export type CheckPart = 'here' | 'servers' | 'trust' | 'database' | 'model';

export interface Checked {
  readonly checks: readonly Check[];
}

export interface SettingsView {
  readonly about: About;
  readonly files: readonly SettingsFile[];
  /** Those that a file sets, in its order. Empty while a file is broken. */
  readonly written: readonly SettingRow[];
  /** Those that no file sets. */
  readonly defaults: readonly SettingRow[];
  /** Why the host goes on with what the files said before. */
  readonly problems: readonly DiagnosticRow[];
  /** The file that commands write to. */
  readonly writesTo: string;
}

interface About {
  readonly version: string;
  readonly node: string;
  readonly home: string;
  /** The folder of the home's data, and the one of the owner's approvals. */
  readonly data: string;
  readonly state: string;
  /** Further browsers that are signed in. */
  readonly otherBrowsers: number;
}

export interface SettingsFile {
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
  /** Without secrets. Absent where there is none, and where it can't be told what in it is one. */
  readonly text?: string;
  /** Why its text is not shown. */
  readonly withheld?: string;
}

export interface SettingRow {
  /** "serve.token" */
  readonly name: string;
  /** As it is written, or JSON. */
  readonly value: string;
  /** "pegboard.yaml:4"; absent for a default. */
  readonly place?: string;
  readonly description?: string;
}
