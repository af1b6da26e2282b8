import { signal } from '@preact/signals';
import { screenPath } from './plugin-links.ts';
import { go, path } from './router.ts';

const screens: { readonly [key: string]: string } = {
  h: '/',
  c: '/chat',
  t: '/tools',
  m: '/manifests',
  s: '/servers',
  g: '/agents',
  l: '/trace',
  a: '/approvals',
  u: '/usage',
  k: '/secrets',
  ',': '/settings',
};

const keyName = 'pegboard-single-keys';

/** Whether single keys lead somewhere. Who speaks to a computer types them without meaning to. */
export const singleKeys = signal(localStorage.getItem(keyName) !== 'off');

export function setSingleKeys(are: boolean): void {
  singleKeys.value = are;
  localStorage.setItem(keyName, are ? 'on' : 'off');
}

/** The keys that lead to the screens, and "/" to the search field of the one that is shown, or of the tools. */
export function startShortcuts(): void {
  addEventListener('keydown', (event) => {
    // Within a shadow tree, as that of the editor, the target of the event is the tree's own element.
    const target = event.composedPath()[0] as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) return;
    if (document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape' && path.value[0] === 'trace') go('/trace');
    if (event.key === 'Escape' && path.value[0] === 'plugins') {
      const [, plugin = '', screen = ''] = path.value;
      go(screenPath({ plugin, screen }));
    }
    if (!singleKeys.value) return;
    const screen = Object.hasOwn(screens, event.key) ? screens[event.key] : undefined;
    if (screen !== undefined) go(screen);
    if (event.key !== '/') return;
    event.preventDefault();
    const field = document.querySelector<HTMLInputElement>('main input[type=search]');
    // At once: the next key may come before the next frame.
    if (field) return field.focus();
    go('/tools');
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>('input[type=search]')?.focus());
  });
}
