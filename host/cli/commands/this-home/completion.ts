import { nearest } from '../../../core/documents/nearest.ts';
import type { CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';

export const run: CommandHandler = async ({ words: [shell = ''], terminal, command }) => {
  const script = scripts[shell];
  if (script !== undefined) return terminal.out.write(script);
  const [near] = nearest(shell, Object.keys(scripts));
  throw usageError(
    command,
    `There is no completion for "${shell}"${near === undefined ? '; there is for bash, zsh and fish.' : `. Did you mean ${near}?`}`,
  );
};

/** Each passes on the line up to the cursor. A candidate that ends in "=" gets no space after it. */
const scripts: { readonly [shell: string]: string } = {
  bash: `# bash completion of pegboard. In ~/.bashrc: source <(pegboard completion bash)
_pegboard() {
  local line=\${COMP_LINE:0:COMP_POINT} word candidate prefix
  word=\${line##*[[:space:]]}
  # Readline replaces only what follows the last "=" or ":".
  prefix=\${word%"\${word##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("\${candidate#"$prefix"}")
  done < <(pegboard complete "$line" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _pegboard pegboard
`,
  zsh: `#compdef pegboard
# zsh completion of pegboard. In ~/.zshrc, after compinit: source <(pegboard completion zsh)
_pegboard() {
  local -a found open closed
  found=("\${(@f)$(pegboard complete "$LBUFFER" 2>/dev/null)}")
  open=(\${(M)found:#*=})
  closed=(\${found:#*=})
  (( \${#open} )) && compadd -S '' -- $open
  (( \${#closed} )) && compadd -- $closed
}
compdef _pegboard pegboard
`,
  fish: `# fish completion of pegboard. In ~/.config/fish/config.fish: pegboard completion fish | source
complete -c pegboard -f -a '(pegboard complete (commandline -cp) 2>/dev/null)'
`,
};
