import { go, path } from './router.ts';

const screens: { readonly [key: string]: string } = {
  h: '/',
  c: '/chat',
  t: '/tools',
  s: '/servers',
  g: '/agents',
  l: '/trace',
  a: '/approvals',
};

/** The keys that lead to the screens, and "/" to the search field of the one that is shown, or of the tools. */
export function startShortcuts(): void {
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || document.querySelector('dialog[open]')) return;
    const screen = Object.hasOwn(screens, event.key) ? screens[event.key] : undefined;
    if (screen !== undefined) go(screen);
    if (event.key === 'Escape' && path.value[0] === 'trace') go('/trace');
    if (event.key !== '/') return;
    event.preventDefault();
    if (!['tools', 'trace'].includes(path.value[0] ?? '')) go('/tools');
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>('input[type=search]')?.focus());
  });
}
