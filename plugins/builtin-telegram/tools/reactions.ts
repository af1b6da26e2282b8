import type { ReactionTypeEmoji } from 'grammy/types';

export type ReactionEmoji = ReactionTypeEmoji['emoji'];

/** All that a bot may react with: Telegram's list (core.telegram.org/bots/api#reactiontypeemoji). */
export const reactions = (
  '👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 ' +
  '😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡'
).split(' ') as readonly ReactionEmoji[];

/** What models write, "❤️" or " 👍 ", as Telegram wants it; undefined for what is not in its list. */
export function toReaction(written: string): ReactionEmoji | undefined {
  const plain = written.replaceAll('\u{FE0F}', '').trim();
  return reactions.find((emoji) => emoji === plain);
}
