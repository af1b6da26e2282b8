import type { ReactionTypeEmoji } from 'grammy/types';

export type ReactionEmoji = ReactionTypeEmoji['emoji'];

/** All reactions that a bot may use (core.telegram.org/bots/api#reactiontypeemoji). */
export const reactions = (
  '👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 ' +
  '😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡'
).split(' ') as readonly ReactionEmoji[];

/** Normalises an emoji as written by a model, such as "❤️" or " 👍 ". Undefined if it isn't in the list. */
export function toReaction(written: string): ReactionEmoji | undefined {
  const plain = written.replaceAll('\u{FE0F}', '').trim();
  return reactions.find((emoji) => emoji === plain);
}
