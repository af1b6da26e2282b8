import { useSignal } from '@preact/signals';
import type { TemplateAnswer } from '../../../manifests/wire.ts';
import { get, messageOf } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';
import { program } from '../../program.ts';
import { go, manifestPath } from '../../router.ts';
import { draftOf, keepDraft } from './draft.ts';

const kinds = [
  { kind: 'tool', what: 'A tool: a command with parameters, which people and models call' },
  { kind: 'skill', what: 'A skill: instructions that an agent follows' },
  { kind: 'agent', what: 'An agent: a model with a task and the tools for it' },
  { kind: 'space', what: 'A space: a folder of tools, agents and skills' },
] as const;

/** Begins a manifest with a text that works already. Nothing is written before it is saved. */
export function NewManifest() {
  const kind = useSignal('tool');
  const name = useSignal('');
  const space = useSignal('');
  const problem = useSignal('');
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    const query = new URLSearchParams({
      kind: kind.value,
      name: name.value.trim(),
      space: space.value.trim(),
    });
    try {
      const { path, text } = await get<TemplateAnswer>(`template?${query}`);
      // What was begun before goes on.
      if (!draftOf(path).value) keepDraft(path, { text, base: null });
      go(manifestPath(path));
    } catch (cause) {
      problem.value = messageOf(cause);
    }
  };
  return (
    <form class="sheet" aria-labelledby="new-manifest" onSubmit={(event) => void begin(event)}>
      <h2 id="new-manifest">A new manifest</h2>
      <div class="field">
        <label for="manifest-kind">What it describes</label>
        <select
          id="manifest-kind"
          value={kind.value}
          onChange={(event) => (kind.value = event.currentTarget.value)}
        >
          {kinds.map((one) => (
            <option value={one.kind}>{one.what}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="manifest-name">
          Name <span class="quiet">lower-case words with hyphens between</span>
        </label>
        <input
          id="manifest-name"
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </div>
      {kind.value !== 'space' && (
        <div class="field">
          <label for="manifest-space">
            Space <span class="quiet">the folder that it is in; made if it isn't there</span>
          </label>
          <input
            id="manifest-space"
            type="text"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder="personal"
            value={space.value}
            onInput={(event) => (space.value = event.currentTarget.value)}
          />
        </div>
      )}
      <Problem text={problem.value} />
      <div class="row actions">
        <button class="main" type="submit">
          Begin
        </button>
        <span class="quiet">Nothing is written before you save it.</span>
      </div>
      <p class="quiet">
        A plugin is code, and is begun in a terminal: <code>{program.value} new plugin NAME</code>
      </p>
    </form>
  );
}
