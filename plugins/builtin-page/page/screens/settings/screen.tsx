import { useEffect } from 'preact/hooks';
import type { SettingsView } from '../../../settings/wire.ts';
import { connected } from '../../live/live.ts';
import { reading } from '../../live/reading.ts';
import { Broken } from '../../parts/broken.tsx';
import { Offline } from '../../parts/offline.tsx';
import { About } from './about.tsx';
import { checkQuickly } from './checks.ts';
import { Doctor, verdict } from './doctor.tsx';
import { Files } from './files.tsx';
import { Settings } from './settings.tsx';

const settings = reading<SettingsView>('settings');

/** Is everything well, and what is set where? */
export function SettingsScreen() {
  useEffect(() => settings.follow(), []);
  useEffect(() => {
    // Also when the host is back.
    if (connected.value === true) void checkQuickly();
  }, [connected.value]);
  const view = settings.value.value;
  return (
    <div class="scroll settings">
      <header class="lead">
        <h1>{verdict()}</h1>
      </header>
      <Offline knowsNothing={!view} />
      <Doctor />
      {settings.problem.value !== undefined && (
        <Broken
          what="The settings could not be read."
          why={settings.problem.value}
          again={() => void settings.read()}
        />
      )}
      {!view && settings.problem.value === undefined && <p class="quiet">Loading…</p>}
      {view && (
        <>
          <Settings view={view} />
          <Files view={view} />
          <About about={view.about} onChange={() => void settings.read()} />
        </>
      )}
    </div>
  );
}
