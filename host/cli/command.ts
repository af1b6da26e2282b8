import type { Host, HostOptions } from '../host.ts';
import type { HomeTrust } from '../home-trust.ts';
import type { InterruptScope } from './interrupts.ts';
import type { Option, Options } from './options.ts';
import type { CliSurroundings } from './surroundings.ts';
import type { Terminal } from './terminal/terminal.ts';

/** One line of the command table. Its code is loaded when it runs. */
export interface Command {
  /** One or two words: "tools", "mcp add"; empty for plain `pegboard`. */
  readonly name: string;
  readonly group: Group;
  readonly summary: string;
  /** Its positional arguments: "TOOL [key=value…]". How many it takes follows from this text. */
  readonly usage: string;
  /** For the help of this command, below the summary. */
  readonly details?: string;
  readonly options?: readonly Option[];
  /** What follows `--` is a program with its arguments. Otherwise it is further words, which may begin with a dash. */
  readonly takesProgram?: boolean;
  readonly examples: readonly string[];
  /** Runs until a signal ends it, so a signal isn't a failure. */
  readonly untilStopped?: boolean;
  /**
   * How it uses the home. Absent: it may run what is in it, so it asks about an unknown one. `reads`: it lists an
   * unknown one, and starts and writes nothing there. `makes`: as absent, and an empty folder becomes a known home.
   * `none`: it needs no home.
   */
  readonly home?: 'reads' | 'makes' | 'none';
  /** The command before which the help lists it. Absent: at the end of its group. */
  readonly before?: string;
  /** Not listed in the help: only scripts call it. */
  readonly hidden?: boolean;
  readonly load: () => Promise<{ readonly run: CommandHandler }>;
}

export const groups = ['Tools', 'MCP servers', 'Serving', 'Making', 'This home', 'From plugins'] as const;
export type Group = (typeof groups)[number];

/** Whether the help lists it among Pegboard's own commands, though a plugin may bring it. */
export const isListedAsOwn = ({ group }: Command): boolean => group !== 'From plugins';

/** What a command gets. */
export interface Context {
  readonly command: Command;
  readonly options: Options;
  /** Positional arguments, as many as `usage` allows, including those after `--`. */
  readonly words: readonly string[];
  /** What follows `--` where the command takes a program. */
  readonly rest: readonly string[];
  readonly terminal: Terminal;
  readonly surroundings: CliSurroundings;
  /** Aborts at SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** While it is open, SIGINT ends it instead of the command. */
  readonly openScope: () => InterruptScope;
  /** Absolute; it need not exist. */
  readonly home: string;
  /** Only this user's own homes are run; any other is read. */
  readonly homeTrust: HomeTrust;
  /** Closed when the command is done; callers don't close it. */
  readonly openHost: (how?: Omit<HostOptions, 'home' | 'surroundings'>) => Promise<Host>;
  /** At the prompt: closes it at the end of the session. Absent where the command is the whole process. */
  readonly keep?: (resource: AsyncDisposable) => void;
}

/** Returns the exit code; nothing means 0. Throws a PegboardError for what the user can fix. */
export type CommandHandler = (context: Context) => Promise<number | void>;
