/**
 * Names of files and folders that some program runs, loads or obeys because of their names. They need confirmation even
 * in folders that may be written freely. Names with a leading dot are settings by convention, so the harmless ones are
 * listed and all others are guarded.
 */
const harmlessDotNames = new Set(
  `.gitignore .gitkeep .keep .npmignore .dockerignore .eslintignore .prettierignore .nojekyll .well-known .ds_store
   .pytest_cache .mypy_cache .ruff_cache .nyc_output .coverage .eslintcache .ipynb_checkpoints`.split(/\s+/),
);

/** In lower case. */
export const guardedNames: ReadonlySet<string> = new Set(
  `head
   package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb
   bunfig.toml deno.json deno.jsonc deno.lock jsr.json lerna.json nx.json turbo.json rush.json bower.json
   node_modules bower_components jspm_packages web_modules vendor
   pyproject.toml setup.py setup.cfg pipfile pipfile.lock poetry.lock uv.lock pdm.lock pylock.toml conftest.py tox.ini
   pytest.ini noxfile.py sitecustomize.py usercustomize.py environment.yml environment.yaml venv virtualenv site-packages
   __pycache__ gemfile gemfile.lock gems.rb gems.locked rakefile thorfile guardfile capfile composer.json composer.lock
   cargo.toml cargo.lock build.rs rust-toolchain rust-toolchain.toml go.mod go.sum go.work go.work.sum magefile.go
   pom.xml build.xml ivy.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradle
   gradlew gradlew.bat mvnw mvnw.cmd build.sbt build.sc directory.build.props directory.build.targets
   directory.packages.props nuget.config global.json packages.lock.json mix.exs mix.lock rebar.config rebar.lock
   stack.yaml cabal.project package.yaml setup.hs pubspec.yaml pubspec.lock package.swift package.resolved podfile
   podfile.lock cartfile fastlane dune dune-project renv.lock renv cpanfile makefile.pl build.pl flake.nix flake.lock
   default.nix shell.nix build.zig build.zig.zon project.toml manifest.toml project.clj deps.edn shard.yml elm.json
   makefile gnumakefile bsdmakefile justfile snakefile sconstruct sconscript cmakelists.txt cmakepresets.json
   cmakeuserpresets.json meson.build meson_options.txt wscript configure configure.ac tupfile earthfile build.bazel
   workspace.bazel module.bazel gruntfile gulpfile jakefile procfile vagrantfile dockerfile containerfile tiltfile
   brewfile jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml appveyor.yml buildspec.yml
   lefthook.yml lefthook.yaml mise.toml devbox.json ansible.cfg skaffold.yaml serverless.yml pulumi.yaml
   binding.gyp common.gypi fabfile.py dodo.py tasks.py devcontainer.json uv.toml husky
   agents.md agent.md claude.md claude.local.md gemini.md qwen.md warp.md crush.md codex.md skill.md copilot-instructions.md mcp.json opencode.json
   pegboard.yaml pegboard.local.yaml space.manifest.json plugin.yaml autorun.inf desktop.ini profile.ps1`.split(
    /\s+/,
  ),
);

/** Case-sensitive, to distinguish them from the folders `build` and `workspace`. */
const exactNames = new Set(['BUILD', 'WORKSPACE']);

/** Whole names in lower case, as regular expressions for both JavaScript and Seatbelt. */
export const guardedPatterns: readonly string[] = [
  '[^/]*[.](git|mk|mak|cmake|pth|gemspec|csproj|fsproj|vbproj|vcxproj|sln|slnx|cabal|xcodeproj|xcworkspace|opam)',
  '[^/]*[.](rockspec|nimble|desktop|service|timer|code-workspace|sublime-project|lnk)',
  '[^/]*[.]config[.][cm]?[jt]s',
  '(makefile|dockerfile|containerfile|gruntfile|gulpfile)[.][^/]*',
  '(docker-)?compose([.][^/]+)?[.]ya?ml',
  'requirements[^/]*[.]txt',
  'taskfile([.][^/]+)?[.]ya?ml',
  '[^/]*_profile[.]ps1',
];
const pattern = new RegExp(`^(?:${guardedPatterns.join('|')})$`, 's');

/** `name` is one part of a path, in any spelling that some file system treats as equal. */
export function isGuardedName(name: string): boolean {
  if (exactNames.has(name)) return true;
  const plain = spelledPlainly(name);
  if (plain.startsWith('.')) return !harmlessDotNames.has(plain);
  return guardedNames.has(plain) || pattern.test(plain) || shortName.test(plain);
}

/** Windows short names: "GIT~1" opens ".git", or any other long name. */
const shortName = /^[^.~]{1,6}~\d+(?:\.[^.]{1,3})?$/;

/** File systems ignore case, and some also zero-width characters, trailing dots and spaces, and what follows a colon. */
function spelledPlainly(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/(?<=.)[. ]+$/, '');
}
