import { exactLine } from '../../core/foreign/shown-text.ts';
import { choose } from './choose.ts';
import { oneLine } from './safe.ts';
import type { FormPlace } from './show-form.ts';

/** Asks a question with the answers Yes and No: Enter alone is `usual`. Undefined when cancelled. */
export async function agree(
  message: string,
  place: FormPlace,
  usual: 'yes' | 'no' = 'no',
): Promise<boolean | undefined> {
  const answers = [
    { value: true, label: 'Yes', key: 'y' },
    { value: false, label: 'No', key: 'n' },
  ];
  return (await choose(exactLine(oneLine(message)), answers, place, usual === 'yes' ? 0 : 1))?.value;
}
