import type { Surroundings } from '../api/surroundings.ts';

/** What the command line is given instead of a process of its own, so that it also runs inside another program. */
export interface CliSurroundings extends Surroundings {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly signals: Signals;
  /** Ends the program at once. */
  readonly exit: (code: number) => never;
}

/** Signals such as SIGINT; `exit`, when the program ends; and the two events of errors that nobody handled. */
interface Signals {
  on(event: string, listener: (...given: any[]) => void): unknown;
  off(event: string, listener: (...given: any[]) => void): unknown;
  /** As if the signal had come. */
  emit(signal: 'SIGINT'): unknown;
}
