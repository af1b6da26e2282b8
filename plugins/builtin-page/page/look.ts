import { signal } from '@preact/signals';

const keyName = 'pegboard-look';
const looks = ['system', 'light', 'dark'] as const;
export type Look = (typeof looks)[number];

const kept = localStorage.getItem(keyName);

/** "system": as the system is set, also when that changes. */
export const look = signal<Look>(looks.find((one) => one === kept) ?? 'system');

export function setLook(wanted: Look): void {
  look.value = wanted;
  localStorage.setItem(keyName, wanted);
  apply();
}

/** The style sheet does the rest. */
export function apply(): void {
  document.documentElement.dataset['look'] = look.value;
}

export const nextLook = (): Look => looks[(looks.indexOf(look.value) + 1) % looks.length]!;
