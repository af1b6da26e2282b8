import type { ChatAddress } from 'pegboard';

/** The address as used by conversations and channels: "12345", and "-1001234:7" for a topic. */
export const nameOf = ({ chat, topic }: ChatAddress): string =>
  topic === undefined ? chat : `${chat}:${topic}`;

/** The inverse of `nameOf`. */
export function addressNamed(name: string): ChatAddress {
  const [chat = '', topic] = name.trim().split(/:(.*)/s);
  return { chat, ...(topic !== undefined && { topic }) };
}
