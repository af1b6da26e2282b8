/** Neither profile nor startup file, and nothing of ours can be taken for an option. */
const bash = ['bash', '--noprofile', '--norc', '-c', '--'] as const;

/**
 * The call of bash that runs `script` with `values` as the texts of `_peg1`, `_peg2` …: they come as arguments, so no
 * byte of them is ever read as shell text. The script itself sees no arguments.
 */
export function shellProgram(script: string, values: readonly string[]): string[] {
  const assignments = values.map((_, k) => `_peg${k + 1}="\${${k + 1}}"`).join(' ');
  return [...bash, `${assignments}${values.length > 0 ? ';' : ''}set --\n${script}`, 'pegboard', ...values];
}
