/** A report of a process: what it has done, or what prevented it. */
export interface Done {
  readonly stored?: number;
  readonly content?: string;
  readonly supersedes?: number;
  readonly archived?: number;
  readonly said?: number;
  readonly text?: string;
  readonly secret?: string;
  readonly file?: string;
  /** Version of a secret or file: later ones are higher. */
  readonly version?: number;
  readonly scheduled?: number;
  readonly cancelled?: number;
  readonly error?: string;
}

export const secretValue = (version: number): string => `value ${version} of a secret`;

/** Long enough for a write to be interrupted. */
export const fileText = (version: number): string =>
  `version ${version}\n${'x'.repeat(20_000)}\nend of ${version}\n`;
