import type { SettingRow, SettingsView } from '../../../settings/wire.ts';
import { ConfigProblems } from '../../parts/config-problems.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Words } from '../../parts/words.tsx';
import { program } from '../../program.ts';

/** Each setting in force, and where it is set. */
export function Settings({
  view: { written, defaults, problems, writesTo },
}: {
  readonly view: SettingsView;
}) {
  return (
    <section class="sheet" aria-labelledby="in-force">
      <h2 id="in-force">Settings in force</h2>
      <p class="quiet">
        They are changed in the files below, in your editor; a running host takes a change at once, but not
        one of <code>serve</code>. Commands write to <code>{writesTo}</code>. <a href="/servers">Servers</a>,{' '}
        <a href="/secrets">secrets</a> and <a href="/agents">agents</a> have screens of their own.
      </p>
      {problems.length > 0 && (
        <div class="broken" role="alert">
          <p>
            <strong>The files can’t be used as they are.</strong> What they said before stays in force until
            this is mended; <code>{program.value} lint</code> says more.
          </p>
          <ConfigProblems problems={problems} />
        </div>
      )}
      {problems.length === 0 && written.length === 0 && <p>No file sets anything: all are defaults.</p>}
      <Rows rows={written} />
      <details>
        <summary>
          {defaults.length === 1 ? '1 default' : `${defaults.length} defaults`}, which no file sets
        </summary>
        <Rows rows={defaults} />
      </details>
    </section>
  );
}

function Rows({ rows }: { readonly rows: readonly SettingRow[] }) {
  if (rows.length === 0) return null;
  return (
    <dl class="set">
      {rows.map(({ name, value, place, description }) => (
        <div key={name}>
          <dt class="mono">
            <HiddenText text={name} />
          </dt>
          <dd>
            <code>
              <HiddenText text={value} />
            </code>
            {place !== undefined && (
              <span class="quiet mono">
                {' '}
                <HiddenText text={place} />
              </span>
            )}
            {description !== undefined && (
              <p class="hint">
                <Words text={description} />
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
