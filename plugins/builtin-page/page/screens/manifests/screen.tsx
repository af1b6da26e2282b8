import { useEffect } from 'preact/hooks';
import type { ManifestRow } from '../../../manifests/wire.ts';
import { Back } from '../../parts/back.tsx';
import { HiddenText } from '../../parts/hidden-text.tsx';
import { Offline } from '../../parts/offline.tsx';
import { SearchList } from '../../parts/search-list.tsx';
import type { RowProps } from '../../parts/virtual-list.tsx';
import { manifestPath, path } from '../../router.ts';
import { draftOf, pathsOfDrafts } from './draft.ts';
import { allManifests, foundManifests, query } from './list-of-manifests.ts';
import { ManifestPage } from './manifest-page.tsx';
import { NewManifest } from './new-manifest.tsx';

/** How do I make one? */
export function ManifestsScreen() {
  const chosen = path.value.slice(1).join('/');
  useEffect(() => allManifests.follow(), []);
  return (
    <div class={chosen === '' ? 'split' : 'split chosen'}>
      <div class="side">
        <ManifestList chosen={chosen} />
      </div>
      <div key={chosen} class="detail scroll">
        {allManifests.value.value && <Offline />}
        {chosen !== '' && (
          <Back title="Manifests" to="/manifests">
            All manifests
          </Back>
        )}
        {chosen === '' ? <Hello /> : chosen === 'new' ? <NewManifest /> : <ManifestPage file={chosen} />}
      </div>
    </div>
  );
}

/** What can be gone on with: texts that were begun and have no file yet. */
function Hello() {
  const known = allManifests.value.value?.manifests;
  const begun = pathsOfDrafts().filter((one) => known && !known.some(({ path: file }) => file === one));
  return (
    <>
      <p class="quiet hello">
        A manifest is a file that describes a tool, an agent, a skill or a space. Choose one to change it, or
        make a new one.
      </p>
      {begun.length > 0 && (
        <section class="sheet" aria-labelledby="begun">
          <h2 id="begun">Begun and not saved</h2>
          <ul class="rows">
            {begun.map((one) => (
              <li>
                <a class="mono" href={manifestPath(one)}>
                  <HiddenText text={one} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function ManifestList({ chosen }: { readonly chosen: string }) {
  return (
    <SearchList
      title="Manifests"
      find="Find a manifest"
      query={query}
      from={allManifests}
      total={allManifests.value.value?.manifests.length}
      rows={foundManifests.value}
      isChosen={({ path: file }) => file === chosen}
      pathOf={({ path: file }) => manifestPath(file)}
      empty="No manifest yet. “New” makes a first one."
      action={
        <>
          <span class="grow" />
          <a class="button" href="/manifests/new">
            New
          </a>
        </>
      }
      row={(one, props) => <Row key={one.path} one={one} props={props} />}
    />
  );
}

function Row({ one, props }: { readonly one: ManifestRow; readonly props: RowProps }) {
  const { path: file, kind, name, errors, warnings } = one;
  return (
    <a class="item" href={manifestPath(file)} {...props}>
      <span class="first">
        <b class="mono">
          <HiddenText text={name} />
        </b>
        <small class="tag">{kind}</small>
        {draftOf(file).value && <small class="tag warn">unsaved</small>}
        {errors > 0 ? (
          <small class="state bad">{countOf(errors, 'error')}</small>
        ) : (
          warnings > 0 && <small class="state warn">{countOf(warnings, 'warning')}</small>
        )}
      </span>
      <span class="second">
        <HiddenText text={file} />
      </span>
    </a>
  );
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
