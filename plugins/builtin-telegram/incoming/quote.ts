import type { Message } from 'grammy/types';

/** The text that a message answers: the quoted part, or else the whole message. */
export function quoteOf({ quote, reply_to_message: replied }: Message): string | undefined {
  const text = quote?.text ?? replied?.text ?? replied?.caption;
  return text ?? (replied && !replied.forum_topic_created ? '' : undefined);
}

/** The text, with the addresses of links whose text is different. */
export function entitiesText(text: string, { entities, caption_entities: others }: Message): string {
  const links = (entities ?? others ?? []).flatMap((entity) =>
    entity.type === 'text_link' ? [{ end: entity.offset + entity.length, url: entity.url }] : [],
  );
  return links
    .toSorted((one, other) => other.end - one.end)
    .reduce((all, { end, url }) => `${all.slice(0, end)} (${url})${all.slice(end)}`, text);
}
