import type { TurnEvent } from '../api/conversation.ts';
import type { ModelEvent } from '../api/model.ts';
import {
  createLinkFilter,
  openLinks,
  type IsKnownAddress,
  type LinkFilter,
} from '../core/foreign/open-links.ts';
import { createMarkFilter, withoutMarks, type MarkFilter } from './marks.ts';

/** The text of one turn, over all its rounds. The streamed pieces add up to `text`. */
export interface ReplyText {
  /** Of all rounds so far, including one that was cut off. */
  readonly text: string;
  handle(event: ModelEvent): void;
  /** Called with the complete text of a round. */
  endRound(text: string): void;
  /** Adds a message of the host as a paragraph. */
  add(text: string): void;
}

export interface ReplyTextOptions {
  /** Of the channel's marks, which are removed. */
  readonly tag: string;
  /** Links to other addresses show where they lead. */
  readonly isKnown: IsKnownAddress;
  readonly say: (event: TurnEvent) => void;
}

export function createReplyText({ tag, isKnown, say }: ReplyTextOptions): ReplyText {
  let ended = '';
  /** Of the current round. */
  let current = '';
  let filter: MarkFilter;
  let links: LinkFilter;

  const emit = (text: string): void => {
    if (text === '') return;
    if (current === '' && ended !== '') say({ type: 'text', text: paragraph });
    current += text;
    say({ type: 'text', text });
  };
  const startRound = (): void => {
    current = '';
    filter = createMarkFilter(tag);
    links = createLinkFilter(isKnown);
  };
  startRound();
  const all = (): string => [ended, current].filter((text) => text !== '').join(paragraph);

  return {
    get text() {
      return all();
    },
    handle(event) {
      if (event.type === 'text') return emit(links.add(filter.add(event.text)));
      if (event.type === 'restart') startRound();
      say(event);
    },
    endRound(text) {
      emit(links.end());
      current = openLinks(withoutMarks(text, tag), isKnown);
      ended = all();
      startRound();
    },
    add(text) {
      startRound();
      emit(text);
      ended = [ended, text].filter((part) => part !== '').join(paragraph);
      startRound();
    },
  };
}

const paragraph = '\n\n';
