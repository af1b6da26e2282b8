import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { messageOf } from './api.ts';
import { Broken } from './parts/broken.tsx';

/** A screen whose code is loaded when it is first shown. */
export function later(load: () => Promise<ComponentType>, name: string): ComponentType {
  const loaded = signal<ComponentType | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  let isLoading = false;
  const begin = (): void => {
    if (isLoading) return;
    isLoading = true;
    problem.value = undefined;
    load()
      .then((component) => (loaded.value = component))
      .catch((cause: unknown) => (problem.value = messageOf(cause)))
      .finally(() => (isLoading = false));
  };
  return function Later() {
    const Screen = loaded.value;
    if (Screen) return <Screen />;
    if (problem.value === undefined) begin();
    return (
      <div class="scroll">
        <h1>{name}</h1>
        {problem.value === undefined ? (
          <p class="quiet">Loading…</p>
        ) : (
          <Broken what="This screen could not be loaded." why={problem.value} again={begin} />
        )}
      </div>
    );
  };
}
