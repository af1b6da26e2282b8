import { computed, signal } from '@preact/signals';
import type { Check, Checked, CheckPart } from '../../../settings/wire.ts';
import { messageOf, post } from '../../api.ts';

/** What is known of one part. */
export interface PartState {
  /** The last ones stay while it is checked again, and when that fails. */
  readonly checks?: readonly Check[];
  readonly isRunning: boolean;
  readonly problem?: string;
}

/** What each part looks at: "Checking the model…". */
export const partNames: { readonly [part in CheckPart]: string } = {
  here: 'this machine',
  servers: 'the servers',
  trust: 'what is trusted',
  database: 'the database',
  model: 'the model',
};
const quick: readonly CheckPart[] = ['here', 'servers', 'trust'];
export const partsInOrder = Object.keys(partNames) as readonly CheckPart[];

/** It outlives a look at another screen. */
export const parts = signal<{ readonly [part in CheckPart]?: PartState }>({});
/** When all parts were checked last: epoch milliseconds. */
export const checkedAllAt = signal<number | undefined>(undefined);

export const isChecking = computed(() => Object.values(parts.value).some(({ isRunning }) => isRunning));

const set = (part: CheckPart, state: PartState): void =>
  void (parts.value = { ...parts.value, [part]: state });

async function check(part: CheckPart, connect: boolean): Promise<void> {
  const { checks: before } = parts.value[part] ?? {};
  const known = before && { checks: before };
  set(part, { ...known, isRunning: true });
  try {
    const { checks } = await post<Checked>(`check/${part}`, { connect });
    set(part, { checks, isRunning: false });
  } catch (cause) {
    set(part, { ...known, isRunning: false, problem: messageOf(cause) });
  }
}

/** What costs nothing and starts nothing. Each part is shown when it is known. */
export const checkQuickly = (): Promise<unknown> =>
  isChecking.value ? Promise.resolve() : Promise.all(quick.map((part) => check(part, false)));

/** All of it: the servers are connected, and the model is asked. */
export async function checkAll(): Promise<void> {
  if (isChecking.value) return;
  await Promise.all(partsInOrder.map((part) => check(part, true)));
  checkedAllAt.value = Date.now();
}
