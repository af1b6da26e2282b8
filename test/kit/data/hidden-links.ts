import { Lexer, walkTokens, type Token } from 'marked';

/** Addresses of links and pictures in Markdown that lead elsewhere and don't show where. */
export function hiddenLinksIn(markdown: string): readonly string[] {
  const found: string[] = [];
  walkTokens(new Lexer({ gfm: true }).lex(markdown) as Token[], (token) => {
    if (token.type !== 'link' && token.type !== 'image') return;
    const { href, text, raw } = token as { readonly href: string; readonly text: string; readonly raw: string };
    const isShown = token.type === 'link' && (raw === text || raw === `<${text}>`);
    const leads = /^(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i.test(href);
    if (leads && !isShown) found.push(href);
  });
  return found;
}
