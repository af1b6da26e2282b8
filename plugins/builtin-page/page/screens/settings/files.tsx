import type { SettingsFile, SettingsView } from '../../../settings/wire.ts';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { LongText } from '../../parts/long-text.tsx';

/** The files that the settings come from, as they are now. */
export function Files({ view: { files } }: { readonly view: SettingsView }) {
  return (
    <section class="sheet" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <p class="quiet">
        Secrets are left out, also those in comments and addresses. They can only be read here.
      </p>
      <ul class="rows">
        {files.map((file) => (
          <li key={file.name}>
            <b class="mono">{file.name}</b>
            <p class="quiet mono origin">
              <HiddenText text={file.path} />
            </p>
            <Text file={file} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Text({ file: { name, exists, text, withheld } }: { readonly file: SettingsFile }) {
  if (!exists) return <p class="quiet">There is none.</p>;
  if (text === undefined) return <p class="warn">{withheld}</p>;
  if (text.trim() === '') return <p class="quiet">It is empty.</p>;
  return (
    <details>
      <summary>Its text</summary>
      <LongText text={text} label={name} />
    </details>
  );
}
