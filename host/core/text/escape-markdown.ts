/** The text as Markdown shows it: nothing in it is formatting. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>~|]/g, String.raw`\$&`);
