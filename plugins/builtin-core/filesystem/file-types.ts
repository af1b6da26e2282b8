/** File name extensions by the common names of types. */
const types: { readonly [type: string]: readonly string[] } = {
  c: ['c', 'h'],
  cpp: ['cc', 'cpp', 'cxx', 'hpp', 'hh', 'h'],
  csharp: ['cs'],
  css: ['css', 'scss', 'sass', 'less'],
  go: ['go'],
  html: ['html', 'htm'],
  java: ['java'],
  js: ['js', 'mjs', 'cjs', 'jsx'],
  json: ['json', 'jsonc', 'json5'],
  kotlin: ['kt', 'kts'],
  markdown: ['md', 'mdx', 'markdown'],
  md: ['md', 'mdx', 'markdown'],
  perl: ['pl', 'pm'],
  php: ['php'],
  py: ['py', 'pyi'],
  python: ['py', 'pyi'],
  ruby: ['rb'],
  rust: ['rs'],
  sh: ['sh', 'bash', 'zsh'],
  sql: ['sql'],
  swift: ['swift'],
  toml: ['toml'],
  ts: ['ts', 'mts', 'cts', 'tsx'],
  txt: ['txt', 'text'],
  typescript: ['ts', 'mts', 'cts', 'tsx'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  xml: ['xml', 'svg', 'xsd'],
  yaml: ['yaml', 'yml'],
};

/** Whether the file is of this type. An unknown type is taken as a file name extension: "vue". */
export function isOfType(path: string, type: string): boolean {
  const name = type.toLowerCase().replace(/^\./, '');
  const endings = Object.hasOwn(types, name) ? types[name]! : [name];
  return endings.some((ending) => path.toLowerCase().endsWith(`.${ending}`));
}
