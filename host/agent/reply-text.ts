import type { TurnEvent } from '../api/conversation.ts';
import type { ModelEvent } from '../api/model.ts';
import { createMarkFilter, withoutMarks, type MarkFilter } from './marks.ts';

/** What the agent says in one turn, over all its rounds: what is heard of it piece by piece is in the end the text. */
export interface ReplyText {
  /** Of all rounds so far, also of one that was cut off. */
  readonly text: string;
  handle(event: ModelEvent): void;
  /** The round's whole answer is there. */
  endRound(text: string): void;
  /** The host's own words, in a paragraph of their own. */
  add(text: string): void;
}

export function createReplyText(source: string, say: (event: TurnEvent) => void): ReplyText {
  let ended = '';
  /** Of the round that goes on. */
  let current = '';
  let filter: MarkFilter = createMarkFilter(source);

  const emit = (text: string): void => {
    if (text === '') return;
    if (current === '' && ended !== '') say({ type: 'text', text: paragraph });
    current += text;
    say({ type: 'text', text });
  };
  const startRound = (): void => {
    current = '';
    filter = createMarkFilter(source);
  };
  const all = (): string => [ended, current].filter((text) => text !== '').join(paragraph);

  return {
    get text() {
      return all();
    },
    handle(event) {
      if (event.type === 'text') return emit(filter.add(event.text));
      if (event.type === 'restart') startRound();
      say(event);
    },
    endRound(text) {
      current = withoutMarks(text, source);
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
