import type { Locator } from 'playwright-core';

/** Enters a value as a person does, field by field; a value that has no fields of its own is entered as JSON. */
export async function fillForm(form: Locator, value: unknown): Promise<void> {
  await form.evaluate(async (element, entered) => {
    const drawn = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
    const nameOf = (field: Element): string =>
      field.querySelector(':scope > label .mono, :scope > legend .mono')?.textContent ?? '';
    const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
    const enter = async (input: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> => {
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await drawn();
    };
    const choose = async (select: HTMLSelectElement, value: unknown): Promise<void> => {
      const wanted = typeof value === 'boolean' ? (value ? 'yes' : 'no') : textOf(value);
      const option = [...select.options].find(({ text }) => text === wanted);
      select.value = option?.value ?? select.options[1]!.value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
      await drawn();
    };
    const fill = async (within: Element, members: { readonly [name: string]: unknown }): Promise<void> => {
      for (const [name, value] of Object.entries(members)) {
        const field = [...within.querySelectorAll(':scope > .field, :scope > fieldset')].find(
          (one) => nameOf(one) === name,
        );
        if (!field) continue;
        if (field.tagName === 'FIELDSET') {
          await fill(field, value as { readonly [name: string]: unknown });
          continue;
        }
        const input = field.querySelector<HTMLInputElement>('input, select, textarea')!;
        if (input instanceof HTMLSelectElement) await choose(input, value);
        else if (Array.isArray(value) && input.placeholder !== 'JSON')
          await enter(input, value.map(textOf).join('\n'));
        else await enter(input, input.placeholder === 'JSON' ? JSON.stringify(value) : textOf(value));
      }
    };
    if (typeof entered !== 'object' || entered === null) return;
    await fill(element, entered as { readonly [name: string]: unknown });
  }, value);
}
