/** An option that a command understands. */
export interface Option {
  /** Without dashes. */
  readonly name: string;
  readonly short?: string;
  /** The placeholder for its value in the help; absent for a flag. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly summary: string;
}

/** The options as given. */
export interface Options {
  flag(name: string): boolean;
  /** The last one given. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
}

/** As if nothing had been given. */
export const noOptions: Options = {
  flag: () => false,
  value: () => undefined,
  values: () => [],
};

/** Options that many commands have. */
export const json: Option = {
  name: 'json',
  summary: 'Print one JSON document on stdout, and nothing else',
};
export const yes: Option = { name: 'yes', short: 'y', summary: 'Run without asking for confirmation' };
