import { defineToken } from 'pegboard';
import type { PageChat } from './page-chat.ts';

/** The chats of the page, opened when they are first needed. */
export interface PageChats {
  open(): Promise<PageChat>;
}

export const PageChats = defineToken<PageChats>('page-chats', 'chats of the page');
