import { signal, type ReadonlySignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { messageOf } from './api.ts';
import { Broken } from './parts/broken.tsx';

export interface Later<P> {
  /** Undefined until it is loaded. */
  readonly component: ReadonlySignal<ComponentType<P> | undefined>;
  /** Why it could not be loaded. */
  readonly problem: ReadonlySignal<string | undefined>;
  readonly begin: () => void;
}

/** A component whose code is loaded when it is first needed. */
export function laterPart<P>(load: () => Promise<ComponentType<P>>): Later<P> {
  const component = signal<ComponentType<P> | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  let isLoading = false;
  const begin = (): void => {
    if (isLoading || component.value) return;
    isLoading = true;
    problem.value = undefined;
    load()
      .then((loaded) => (component.value = loaded))
      .catch((cause: unknown) => (problem.value = messageOf(cause)))
      .finally(() => (isLoading = false));
  };
  return { component, problem, begin };
}

/** A screen whose code is loaded when it is first shown. */
export function later(load: () => Promise<ComponentType>, name: string): ComponentType {
  const { component, problem, begin } = laterPart(load);
  return function Later() {
    const Screen = component.value;
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
