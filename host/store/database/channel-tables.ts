import type { Generated } from 'kysely';

/**
 * Tables of channels. A conversation is "CHAT" or "CHAT:TOPIC"; chats, people and messages have the ids of the service.
 */
export interface ChannelTables {
  readonly channel_events: EventsTable;
  readonly channel_positions: PositionsTable;
  readonly channel_messages: MessagesTable;
  readonly channel_people: PeopleTable;
  readonly channel_codes: CodesTable;
  readonly channel_asks: AsksTable;
  readonly channel_buttons: ButtonsTable;
  readonly channel_holds: HoldsTable;
  readonly channel_moves: MovesTable;
}

/**
 * `new`: stored, not processed. `working`: its turn waits or runs. `answered`: `parts` contains what has to be sent.
 * `done`. `uncertain`: the process ended or the connection broke when it was unknown whether a step had taken effect.
 */
type EventState = 'new' | 'working' | 'answered' | 'done' | 'uncertain';

/** Everything that a service sent, until it is processed. */
interface EventsTable {
  readonly id: Generated<number>;
  readonly channel: string;
  readonly account: string;
  /** The service's own id. */
  readonly event: string;
  readonly conversation: string;
  /** JSON of what the service sent. */
  readonly body: string;
  readonly received_at: string;
  readonly state: Generated<EventState>;
  /** 1 while a message is being sent and its delivery is unknown. */
  readonly sending: Generated<number>;
  /** Id of the message in which the answer is streamed. */
  readonly draft: string | null;
  /** Set while it is unknown whether it was sent: if so, it comes after this mark. */
  readonly draft_mark: string | null;
  /** JSON of OutgoingPart[]. */
  readonly parts: string | null;
  /** How many of them were processed. */
  readonly sent: Generated<number>;
  /** JSON of FailedPart[]; null: none. */
  readonly failed: string | null;
  /** 1: the owner was told that it is uncertain. */
  readonly told: Generated<number>;
  /** Its turn in the queue. Null: it has none, is held back, or an older version began it. */
  readonly job: Generated<string | null>;
  /** 1: its turn has begun. */
  readonly begun: Generated<number>;
  /** The event whose turn answers this one too. */
  readonly joined: Generated<number | null>;
  /** 1: its message was edited before its turn began, and `body` is the edited one. */
  readonly rewritten: Generated<number>;
  /** 1: other turns of its conversation waited or ran when it came. */
  readonly threaded: Generated<number>;
  /** 1: somebody asked to stop its turn. */
  readonly stop_asked: Generated<number>;
}

/** Where each account goes on receiving, in the words of its driver. */
interface PositionsTable {
  readonly channel: string;
  readonly account: string;
  readonly position: string;
}

/** Chats and accounts to which nothing can be sent for now: their events wait without jobs. */
interface HoldsTable {
  readonly channel: string;
  readonly account: string;
  /** Empty: the whole account. */
  readonly chat: string;
  /** Why, in the words of the service. */
  readonly reason: string;
  readonly since: string;
  /** How often an event has failed for it again. */
  readonly tries: Generated<number>;
  /** When one is tried again. Milliseconds since 1970. */
  readonly next_at: number;
  /** The event that is being tried. */
  readonly probe: number | null;
  /** 1: the owner was told. */
  readonly told: Generated<number>;
}

/** The chats that a service has given other ids. */
interface MovesTable {
  readonly channel: string;
  readonly account: string;
  /** The id by which the home knows it. */
  readonly chat: string;
  /** The service's. */
  readonly moved_to: string;
}

/** The messages of chats, for reactions and replies. */
interface MessagesTable {
  readonly channel: string;
  readonly chat: string;
  readonly id: string;
  readonly topic: string | null;
  /** 1: sent by the account itself. */
  readonly own: number;
  readonly text: string;
  readonly at: string;
}

/** People who are paired. */
interface PeopleTable {
  readonly channel: string;
  readonly id: string;
  readonly name: string;
  readonly paired_at: string;
}

/** People who have a pairing code and wait for approval. */
interface CodesTable {
  readonly channel: string;
  readonly person: string;
  readonly name: string;
  readonly code: string;
  /** Number of wrong codes entered since then. */
  readonly tries: number;
  readonly created_at: string;
}

/** `decided`: answered, and not yet passed to the turn that asked. */
export type AskState = 'open' | 'decided' | 'used' | 'closed';

interface AsksTable {
  /** 128 random bits. */
  readonly token: string;
  readonly channel: string;
  /** The event whose turn asks the question; below 0 for a question from elsewhere. */
  readonly event: number;
  readonly chat: string;
  readonly topic: string | null;
  readonly person: string;
  /** A hash of the question, the person and the chat. */
  readonly hash: string;
  /** JSON of QuestionBlock[]. */
  readonly blocks: string;
  /** JSON of ButtonChoice[]; null: a text is the answer. */
  readonly choices: string | null;
  readonly message: string | null;
  /** Set while it is unknown whether it was sent: if so, it comes after this mark. */
  readonly mark: string | null;
  readonly state: AskState;
  /** JSON of the value. */
  readonly answer: string | null;
  readonly expires_at: string;
  /** JSON of AskedStep: how a text is read as the answer. */
  readonly step: Generated<string | null>;
}

/** Buttons under messages that were delivered: the text of the pressed one comes back as a message. */
interface ButtonsTable {
  readonly token: string;
  readonly channel: string;
  readonly chat: string;
  /** JSON of string[]. */
  readonly texts: string;
  readonly created_at: string;
  /** The event with the press. */
  readonly used_by: number | null;
}
