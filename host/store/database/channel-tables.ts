import type { Generated } from 'kysely';

/** What channels keep. A conversation is "CHAT" or "CHAT:TOPIC"; chats, people and messages have the ids of the service. */
export interface ChannelTables {
  readonly channel_events: EventsTable;
  readonly channel_messages: MessagesTable;
  readonly channel_people: PeopleTable;
  readonly channel_codes: CodesTable;
  readonly channel_asks: AsksTable;
  readonly channel_buttons: ButtonsTable;
}

/**
 * `new`: stored, nothing done. `working`: an agent is at it. `answered`: what is to be sent stands in `parts`.
 * `done`. `uncertain`: the process ended, or the connection broke, at a moment after which nobody can say whether it
 * took effect.
 */
type EventState = 'new' | 'working' | 'answered' | 'done' | 'uncertain';

/** Everything that a service sent, until it is dealt with. */
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
  /** It may have been sent: after this mark. */
  readonly draft_mark: string | null;
  /** JSON of OutgoingPart[]. */
  readonly parts: string | null;
  /** How many of them were dealt with. */
  readonly sent: Generated<number>;
  /** JSON of FailedPart[]; null: none. */
  readonly failed: string | null;
  /** 1: the owner knows that it is uncertain. */
  readonly told: Generated<number>;
}

/** The messages of chats, for reactions and replies. */
interface MessagesTable {
  readonly channel: string;
  readonly chat: string;
  readonly id: string;
  readonly topic: string | null;
  /** 1: by the account itself. */
  readonly own: number;
  readonly text: string;
  readonly at: string;
}

/** Those who were paired. */
interface PeopleTable {
  readonly channel: string;
  readonly id: string;
  readonly name: string;
  readonly paired_at: string;
}

/** Those who wait with a code. */
interface CodesTable {
  readonly channel: string;
  readonly person: string;
  readonly name: string;
  readonly code: string;
  /** Wrong codes that were entered since. */
  readonly tries: number;
  readonly created_at: string;
}

/** `decided`: pressed or written, and not yet handed to the turn that asked. */
export type AskState = 'open' | 'decided' | 'used' | 'closed';

interface AsksTable {
  /** 128 random bits. */
  readonly token: string;
  readonly channel: string;
  /** The event whose turn asks the question; below 0: a question of another place. */
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
  /** It may have been sent: after this mark. */
  readonly mark: string | null;
  readonly state: AskState;
  /** JSON of the value. */
  readonly answer: string | null;
  readonly expires_at: string;
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
