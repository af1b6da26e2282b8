import { parseJson } from 'pegboard/browser';
import { messageOf } from '../../api.ts';
import { objectIn, type Draft } from './draft.ts';

/** All arguments in one text. */
export function JsonArguments({ draft: { json, args } }: { readonly draft: Draft }) {
  const problem = problemIn(json.value!);
  return (
    <div class="field">
      <label for="args-json">Arguments as JSON</label>
      <textarea
        id="args-json"
        rows={10}
        spellcheck={false}
        aria-invalid={problem !== ''}
        aria-describedby="args-json-hint"
        value={json.value}
        onInput={(event) => {
          json.value = event.currentTarget.value;
          args.value = objectIn(json.value) ?? args.value;
        }}
      />
      <p class="wrong reserved" id="args-json-hint">
        {problem}
      </p>
    </div>
  );
}

function problemIn(text: string): string {
  if (objectIn(text)) return '';
  try {
    parseJson(text);
    return 'It must be an object: {…}.';
  } catch (cause) {
    return messageOf(cause);
  }
}
