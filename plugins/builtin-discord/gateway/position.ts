import { parseJson, toJson } from 'pegboard';

/** A session of the gateway, which can be resumed for a few minutes. */
interface Session {
  readonly id: string;
  readonly url: string;
  /** Of its last event that is on disk. */
  readonly sequence: number;
}

/** A chat whose messages are fetched after an absence. */
export interface Place {
  /** The last message that is on disk. */
  readonly after: string;
  /** The server; absent for a private chat. */
  readonly guild?: string;
  /** Who writes in a private chat. */
  readonly person?: string;
}

/** How far the bot has read, as it is stored by the host. */
export interface Position {
  session?: Session | undefined;
  readonly places: Map<string, Place>;
}

interface WrittenPosition {
  readonly session?: Session;
  readonly places: { readonly [channel: string]: Place };
}

export function readPosition(text: string | undefined): Position {
  if (text === undefined) return { places: new Map() };
  const { session, places } = parseJson(text) as WrittenPosition;
  return { session, places: new Map(Object.entries(places)) };
}

export const writePosition = ({ session, places }: Position): string =>
  toJson({ ...(session && { session }), places: Object.fromEntries(places) } satisfies WrittenPosition);

/** Ids are numbers too large for JavaScript. */
export const isLater = (one: string, other: string): boolean => BigInt(one) > BigInt(other);
