/** The members of Discord's objects that are read (API version 10). Ids are texts of digits, the later the larger. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly global_name?: string | null;
  readonly bot?: boolean;
}

export interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly content_type?: string;
  readonly url: string;
}

export interface Message {
  readonly id: string;
  readonly channel_id: string;
  /** Absent in a private chat, and in every answer of the HTTP API. */
  readonly guild_id?: string;
  readonly type: number;
  readonly flags?: number;
  readonly author: User;
  readonly content: string;
  readonly edited_timestamp: string | null;
  readonly mentions: readonly User[];
  readonly attachments: readonly Attachment[];
  readonly components?: readonly Row[];
  readonly webhook_id?: string;
  readonly sticker_items?: readonly unknown[];
  readonly poll?: unknown;
  readonly message_reference?: { readonly type?: number; readonly message_id?: string };
  readonly referenced_message?: Message | null;
  readonly message_snapshots?: readonly { readonly message: Pick<Message, 'content' | 'attachments'> }[];
}

interface Row {
  readonly components?: readonly MessageButton[];
}

export interface MessageButton {
  readonly custom_id?: string;
  readonly label?: string;
}

export interface Reaction {
  readonly user_id: string;
  readonly channel_id: string;
  readonly message_id: string;
  readonly guild_id?: string;
  readonly message_author_id?: string;
  readonly member?: { readonly user?: User };
  readonly emoji: { readonly id: string | null; readonly name: string | null };
}

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly type: number;
  readonly channel_id?: string;
  readonly guild_id?: string;
  readonly user?: User;
  readonly member?: { readonly user: User };
  readonly message?: Message;
  readonly data?: {
    readonly name?: string;
    readonly custom_id?: string;
    readonly options?: readonly { readonly value?: unknown }[];
  };
}

/** What happened, in the form in which it is stored. */
export type GatewayEvent =
  | { readonly t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE'; readonly d: Message }
  | { readonly t: 'MESSAGE_REACTION_ADD'; readonly d: Reaction }
  | { readonly t: 'INTERACTION_CREATE'; readonly d: Interaction };

export interface Ready {
  readonly session_id: string;
  readonly resume_gateway_url: string;
}
