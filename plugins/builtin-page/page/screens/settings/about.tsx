import { post } from '../../api.ts';
import { Fact } from '../../parts/fact.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useActs } from '../../parts/use-acts.ts';
import { setSingleKeys, singleKeys } from '../../shortcuts.ts';
import type { SettingsView } from '../../../settings/wire.ts';

interface Props {
  readonly about: SettingsView['about'];
  readonly onChange: () => void;
}

/** What this page is, and who else has it open. */
export function About({ about: { version, node, home, data, state, otherBrowsers }, onChange }: Props) {
  const acts = useActs();
  const signOthersOut = (): Promise<void> =>
    acts.run(async () => {
      await post('sign-out-others', {});
      onChange();
    });
  return (
    <section class="sheet" aria-labelledby="about">
      <h2 id="about">This page</h2>
      <dl class="facts">
        <Fact name="Pegboard">
          {version} on Node {node}
        </Fact>
        <Fact name="address">
          <span class="mono">{location.origin}</span>
        </Fact>
        <Fact name="home">
          <span class="mono">{home}</span>
        </Fact>
        <Fact name="its data">
          <span class="mono">{data}</span>
        </Fact>
        <Fact name="your approvals">
          <span class="mono">{state}</span>
        </Fact>
        <Fact name="signed in">
          {otherBrowsers === 0
            ? 'this browser alone'
            : otherBrowsers === 1
              ? 'this browser and 1 other'
              : `this browser and ${otherBrowsers} others`}
        </Fact>
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />{' '}
        Single keys lead to the screens, and / to the search, in this browser
      </label>
      {otherBrowsers > 0 && (
        <div class="row answers">
          <button type="button" aria-disabled={acts.isBusy.value} onClick={() => void signOthersOut()}>
            {otherBrowsers === 1 ? 'Sign the other browser out' : 'Sign the other browsers out'}
          </button>
        </div>
      )}
      <Problem text={acts.problem.value} />
    </section>
  );
}
