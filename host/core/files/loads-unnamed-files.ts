/** Programs that run the file in their first operand, or standard input. */
const runner =
  /^(?:(?:ba|da|z|k|a|fi)?sh|python[\d.]*|pypy3?|node|deno|bun|tsx|perl|ruby|php|lua|Rscript|make|xargs|parallel|run-parts|-exec|-execdir|-ok|-okdir)$/;
/** Shell built-ins and wrappers, only at the beginning of a command. */
const shellRunner = /^(?:\.|source|exec|eval|command|env|sudo|nohup)$/;
/** Expanded by the shell, or by `find`. */
const unknown = /[$*?`]|\{\}/;
/** A command begins after these. */
const opening = /^(?:[;&|(){}!]+|do|then|else|if|while|until|time)$/;
/** How scripts in other languages load and run files. */
const loads =
  /\b(?:require|import|import_module|importlib|load|load_source|runpy|exec\w*|eval|spawn\w*|fork|system|popen|source|execfile|dofile)\b\s*[(.]/;

/** Whether a command runs files that it doesn't name literally: from a pattern, a folder, a variable or a pipe. */
function runsUnnamedFiles(command: string): boolean {
  const words =
    command.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[;&|(){}!\n]+(?=\s|$)|[;&|()\n]+|[^\s;&|()"']+/g) ?? [];
  return words.some((word, at) => {
    const before = words[at - 1];
    const begins = before === undefined || opening.test(before) || before.includes('\n');
    if (begins && unknown.test(word.replace(/^\w+=.*$/s, ''))) return true;
    if (!runner.test(word.replace(/^.*\//s, '')) && !(begins && shellRunner.test(word))) return false;
    if (word === 'run-parts') return true;
    const rest = words.slice(at + 1);
    const operand = rest.find((one) => !/^[-+]/.test(one));
    const inline = rest.find((one) => one.startsWith('-'));
    if (operand === undefined || /^[;&|)<\n]/.test(operand)) return true;
    // `sh -c "…"`: the text is the program. Modules that an interpreter loads are found in its working directory.
    if (inline !== undefined && rest.indexOf(inline) === 0 && /^-\w*[cem]$/.test(inline))
      return (
        runsUnnamedFiles(operand.replace(/^["']|["']$/g, '')) ||
        (/\bcd\s/.test(command) && /\bimport\b|require/.test(operand)) ||
        inline.endsWith('m')
      );
    return unknown.test(operand);
  });
}

/** Whether a program loads or runs files that it doesn't name. */
export const loadsUnnamedFiles = (program: string): boolean =>
  loads.test(program) || runsUnnamedFiles(program);
