import { signal } from '@preact/signals';

const keyName = 'pegboard-program';

/** What begins a command that calls this Pegboard: "npx pegboard". Kept, because it is needed when the host is gone. */
export const program = signal(localStorage.getItem(keyName) ?? 'pegboard');

export function setProgram(name: string): void {
  program.value = name;
  localStorage.setItem(keyName, name);
}

/** What a browser that isn't signed in is told, which may be less exact than what it knows. */
export function suggestProgram(name: string): void {
  if (localStorage.getItem(keyName) === null) program.value = name;
}
