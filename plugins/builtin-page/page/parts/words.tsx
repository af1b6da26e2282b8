import type { ComponentChildren } from 'preact';

/** A message of the host, which writes commands and names as `code`. */
export const Words = ({ text }: { readonly text: string }): ComponentChildren =>
  text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 0 ? part : <code>{part}</code>));
