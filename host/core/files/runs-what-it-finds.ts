/** Programs that run the file that their first operand names, or what comes in by standard input. */
const runner =
  /^(?:(?:ba|da|z|k|a|fi)?sh|python[\d.]*|pypy3?|node|deno|bun|tsx|perl|ruby|php|lua|Rscript|make|xargs|parallel|run-parts|-exec|-execdir|-ok|-okdir)$/;
/** Of the shell itself: only where a command begins. */
const shellRunner = /^(?:\.|source|exec|eval|command|env|sudo|nohup)$/;
/** What the shell makes a name of, or `find`. */
const unknown = /[$*?`]|\{\}/;
/** Behind these a command begins. */
const opening = /^(?:[;&|(){}!]+|do|then|else|if|while|until|time)$/;
/** How scripts in other languages load and run what they have found. */
const loads =
  /\b(?:require|import|import_module|importlib|load|load_source|runpy|exec\w*|eval|spawn\w*|fork|system|popen|source|execfile|dofile)\b\s*[(.]/;

/** Does a command run files that it does not name: those of a pattern, of a folder, of a variable, of a pipe? */
function runsWhatItFinds(command: string): boolean {
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
    // `sh -c "…"`: what it does stands in the text, and what an interpreter loads is found where it runs.
    if (inline !== undefined && rest.indexOf(inline) === 0 && /^-\w*[cem]$/.test(inline))
      return (
        runsWhatItFinds(operand.replace(/^["']|["']$/g, '')) ||
        (/\bcd\s/.test(command) && /\bimport\b|require/.test(operand)) ||
        inline.endsWith('m')
      );
    return unknown.test(operand);
  });
}

/** Does a program load or run files that it does not name? */
export const loadsWhatItFinds = (program: string): boolean => loads.test(program) || runsWhatItFinds(program);
