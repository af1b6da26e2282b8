/** How a terminal is sent a picture: kitty's graphics protocol, or iTerm2's inline images. */
export type Graphics = 'kitty' | 'iterm';

const programs: { readonly [name: string]: Graphics } = {
  ghostty: 'kitty',
  'iTerm.app': 'iterm',
  WezTerm: 'iterm',
  mintty: 'iterm',
};
const terminals: { readonly [name: string]: Graphics } = { 'xterm-kitty': 'kitty', 'xterm-ghostty': 'kitty' };

/** Undefined for a terminal that isn't known to show pictures, and within tmux or screen, which keep them back. */
export function graphicsOf(environment: NodeJS.ProcessEnv): Graphics | undefined {
  const { TERM = '', TERM_PROGRAM, LC_TERMINAL, KITTY_WINDOW_ID, TMUX, STY } = environment;
  if (TMUX || STY || /^(?:tmux|screen)/.test(TERM)) return undefined;
  if (TERM_PROGRAM) return programs[TERM_PROGRAM];
  // iTerm2 passes this one on over ssh.
  if (LC_TERMINAL === 'iTerm2') return 'iterm';
  return terminals[TERM] ?? (KITTY_WINDOW_ID && TERM.startsWith('xterm') ? 'kitty' : undefined);
}

/** Whether a link is shown as one, or else ignored. */
export const hasLinks = ({ TERM = '' }: NodeJS.ProcessEnv): boolean => !/^(?:|dumb|linux)$/.test(TERM);
