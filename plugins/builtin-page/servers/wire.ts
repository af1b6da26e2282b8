/** What goes between a host and the page about MCP servers. Types only. */
import type { DiagnosticRow, PendingRow } from '../wire.ts';

/**
 * `held back`: it is connected, and something of it waits for approval. `not started`: its tools are known from an
 * earlier connection, and their first call starts it. `off`: its entry says so.
 */
export type ServerState =
  | 'connected'
  | 'connecting'
  | 'held back'
  | 'needs a login'
  | 'failed'
  | 'never connected'
  | 'not started'
  | 'closed'
  | 'off';

export interface ServerRow {
  readonly name: string;
  readonly state: ServerState;
  /** When the state began: ISO 8601. Absent where it says nothing. */
  readonly since?: string;
  readonly transport: string;
  /** How many tools it offers that may be used. */
  readonly tools: number;
  /** How many of its tools and texts wait for approval. */
  readonly held: number;
  readonly problem?: string;
}

export interface ServerList {
  readonly servers: readonly ServerRow[];
  /** What is wrong with entries that were left out. */
  readonly invalid: readonly DiagnosticRow[];
}

/** Something of a server that is not used before it is approved. */
export interface HeldBack {
  readonly name: string;
  /** Whether another version of it was approved. */
  readonly isChanged: boolean;
  /** Texts in it that read like orders to a model. */
  readonly warnings: readonly string[];
}

export interface ServerDetails extends ServerRow {
  /** The file of its entry, from the home. */
  readonly origin: string;
  /** The command or the address, without what may be a secret. */
  readonly runs: string;
  readonly cwd?: string;
  /** Names alone: values may be secrets. */
  readonly variables: readonly string[];
  readonly headers: readonly string[];
  /** Patterns of its entry: tools that are taken, left out, and asked about before each run. */
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
  readonly confirm?: boolean | readonly string[];
  /** Changed tools are taken without approval. */
  readonly isTrusted: boolean;
  /** What it calls itself, with its version. */
  readonly software?: string;
  readonly era?: string;
  readonly pid?: number;
  readonly restarts: number;
  readonly warnings: readonly string[];
  readonly instructions?: string;
  readonly offered: readonly { readonly id: string; readonly summary: string }[];
  readonly heldBack: readonly HeldBack[];
  /** What approving would approve. */
  readonly pending?: PendingRow;
  /** Reached over HTTP: it may ask for a login. */
  readonly mayLogIn: boolean;
}

/** A line of the host's log about one server, or one that the server wrote to stderr. */
export interface ServerLogLine {
  /** ISO 8601; absent for a line that can't be read. */
  readonly time?: string;
  readonly level: string;
  readonly text: string;
  /** Further fields, as JSON. */
  readonly detail?: string;
}

export interface ServerLog {
  readonly lines: readonly ServerLogLine[];
  /** Earlier lines may be there. */
  readonly isCut: boolean;
}

/** A login to a server. */
export interface LoginRow {
  readonly state: 'none' | 'waiting' | 'done' | 'failed';
  /** Where the person signs in: absent while it is being found. */
  readonly address?: string;
  /** Why it has failed, or what is wrong with the address that was pasted. */
  readonly problem?: string;
  /** Permissions that were requested and not granted. */
  readonly missing?: readonly string[];
}

/** A server that would be added, before anything is written. */
export interface DraftRow {
  readonly name: string;
  /** The exact command or address. */
  readonly runs: string;
  readonly cwd?: string;
  /** Variables of a command, or headers of an address, as they would be written. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** Secrets that would be stored, by their names. */
  readonly secrets: readonly string[];
  /** Variables of the owner that it would get. */
  readonly gets: readonly { readonly name: string; readonly isSet: boolean; readonly description?: string }[];
  /** Identifies what is shown: what is added is this alone. */
  readonly shown: string;
}

export interface AddedRow {
  readonly name: string;
  readonly secrets: readonly string[];
  /** Variables that have to be set before it can start. */
  readonly unset: readonly string[];
}

/** What is typed into the form. */
export interface TypedServer {
  readonly from: 'typed';
  readonly name: string;
  /** An address, or a command with its arguments, quoted as in a shell. */
  readonly target: string;
  /** Variables of the command, or headers of the address. */
  readonly values: { readonly [name: string]: string };
  readonly cwd?: string;
}

export interface FoundServer {
  readonly from: 'registry';
  /** The name that it gets here. */
  readonly name: string;
  readonly entry: string;
  readonly version: string;
  /** Which of its packages or addresses: see `FoundWay`. */
  readonly kind: string;
  readonly what: string;
  readonly answers: { readonly [key: string]: string };
}

interface ClientsServer {
  readonly from: 'client';
  readonly name: string;
  readonly client: string;
  readonly path: string;
}

export type WantedServer = TypedServer | FoundServer | ClientsServer;

/** A server in a registry. */
export interface FoundRow {
  readonly entry: string;
  readonly version: string;
  readonly title?: string;
  readonly description: string;
  readonly status: 'active' | 'deprecated' | 'deleted';
  /** How it can be run or reached: "npm", "remote". */
  readonly kinds: readonly string[];
}

export interface FoundDetails extends FoundRow {
  readonly repository?: string;
  readonly statusMessage?: string;
  /** A name for it here. */
  readonly name: string;
  readonly ways: readonly FoundWay[];
}

export interface FoundWay {
  readonly kind: string;
  readonly what: string;
  /** Why it isn't offered; absent when it is. */
  readonly refused?: string;
  readonly inputs: readonly FoundInput[];
}

export interface FoundInput {
  readonly key: string;
  readonly place: 'variable' | 'header' | 'argument';
  readonly description?: string;
  readonly choices?: readonly string[];
  readonly preset?: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
}

/** A server of another client on this machine. */
export interface ClientRow {
  readonly name: string;
  readonly client: string;
  readonly path: string;
  readonly runs: string;
  /** Why it isn't offered; absent when it is. */
  readonly skipped?: string;
}
