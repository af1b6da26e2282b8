import { signal } from '@preact/signals';
import { FromClients } from './from-clients.tsx';
import { FromRegistry } from './from-registry.tsx';
import { Typed } from './typed.tsx';
import { Back } from '../../../parts/back.tsx';

const ways = [
  { id: 'typed', name: 'A command or an address', Way: Typed },
  { id: 'registry', name: 'Search the registry', Way: FromRegistry },
  { id: 'clients', name: 'From other clients', Way: FromClients },
] as const;

const chosen = signal<(typeof ways)[number]['id']>('typed');

/** Adds a server: nothing is written before the person has read what it would be. */
export function AddServer() {
  const { Way } = ways.find(({ id }) => id === chosen.value)!;
  return (
    <>
      <Back title="Servers" to="/servers">
        All servers
      </Back>
      <h2>Add a server</h2>
      <p class="quiet">
        A server runs with your rights, or gets what its tools are called with. You are shown what it would be
        before it is written, and adding it needs a code.
      </p>
      <div class="switch wrap" role="group" aria-label="Where it comes from">
        {ways.map(({ id, name }) => (
          <button type="button" aria-pressed={chosen.value === id} onClick={() => (chosen.value = id)}>
            {name}
          </button>
        ))}
      </div>
      <Way />
    </>
  );
}
