import { toJson } from 'pegboard/browser';
import type { ShownToModels } from '../../../manifests/wire.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { LongText } from '../../parts/long-text.tsx';

/** What models would be shown of the text as it stands in the editor. */
export function Shown({ shown }: { readonly shown: readonly ShownToModels[] }) {
  return (
    <section class="sheet" aria-labelledby="appears-as">
      <h3 id="appears-as">Appears as</h3>
      {shown.length === 0 && (
        <p class="quiet">Models are shown nothing of it. What is an error above has to be mended first.</p>
      )}
      {shown.map(({ where, name, description, parameters, text, tokens }) => (
        <div class="shown">
          <p class="quiet">
            {where} About {tokens.toLocaleString()} tokens.
          </p>
          <p>
            <b class="mono">
              <HiddenText text={name} />
            </b>
          </p>
          <p class="said">
            <HiddenText text={description} />
          </p>
          {parameters && <LongText text={toJson(parameters, 2)} label={`Parameters of ${name}`} />}
          {text !== undefined && <LongText text={text} label={`Text of ${name}`} />}
        </div>
      ))}
    </section>
  );
}
