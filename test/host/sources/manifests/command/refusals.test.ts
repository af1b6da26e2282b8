import { describe, expect, test } from 'vitest';
import { loadCommand } from '../../../../../host/sources/manifests/command/load.ts';
import type { RefusalCode } from '../../../../../host/sources/manifests/command/refusal.ts';
import type { CommandParameter } from '../../../../../host/sources/manifests/command/template/template.ts';

/** `x` and `y` may be any text, `xs` any texts; `n`, `flag` and `mode` can do no harm anywhere. */
const parameters: readonly CommandParameter[] = [
  { name: 'x', type: 'string' },
  { name: 'y', type: 'string' },
  { name: 'xs', type: 'array' },
  { name: 'n', type: 'integer' },
  { name: 'flag', type: 'boolean' },
  { name: 'mode', type: 'string', enum: ['fast', 'slow'] },
  { name: 'style', type: 'string', enum: ['-rf', 'a b'] },
  { name: 'dash', type: 'string', allowDash: true },
  { name: 'part', type: 'object' },
];
type Row = readonly [template: string, code: RefusalCode, place?: string];

async function refusalOf(template: string, declared = parameters): Promise<unknown> {
  try {
    await loadCommand(template, declared);
    return undefined;
  } catch (refusal) {
    return refusal;
  }
}

const rows: Readonly<Record<string, readonly Row[]>> = {
  'a value in the place of a program': [
    ['{{x}} --version', 'value-in-command-position', '1:1'],
    ['"{{x}}"', 'value-in-command-position', '1:2'],
    ['tools/{{x}}.sh', 'value-in-command-position', '1:7'],
    ['true && {{x}}', 'value-in-command-position', '1:9'],
    ['true\n| {{x}}', 'value-in-command-position', '2:3'],
    ['echo "$({{x}})"', 'value-in-command-position', '1:9'],
    ['if {{x}}; then true; fi', 'value-in-command-position'],
    ['{{#if flag}}{{x}}{{else}}true{{/if}}', 'value-in-command-position', '1:13'],
    ['{{#if flag}}true{{else}}{{x}}{{/if}}', 'value-in-command-position', '1:25'],
    ['{{#unless flag}}{{#each xs}}{{this}}{{/each}}{{/unless}}', 'value-in-command-position'],
    ['env A=1 {{x}}', 'value-in-command-position', '1:9'],
    ['sudo -u root {{x}}', 'value-in-command-position'],
    ['timeout 5 {{x}}', 'value-in-command-position'],
    ['nice -n 5 "{{x}}"', 'value-in-command-position'],
    ['xargs {{x}}', 'value-in-command-position'],
    ['find . -exec {{x}} {} +', 'value-in-command-position'],
    ['{{xs}}', 'value-in-command-position'],
    ['{{style}} file', 'value-in-command-position'],
  ],
  'a value as the program text of an interpreter': [
    ['bash -c {{x}}', 'value-is-code', '1:9'],
    ['sh -c "echo {{x}}"', 'value-is-code', '1:13'],
    ['bash -xc {{x}}', 'value-is-code'],
    ['bash -o pipefail -c {{x}}', 'value-is-code'],
    ['bash {{x}}', 'value-is-code'],
    ['sudo bash -c {{x}}', 'value-is-code'],
    ['env -i timeout 5 sh -c {{x}}', 'value-is-code'],
    ['/usr/bin/python3 -c "print({{x}})"', 'value-is-code'],
    ['python3 {{x}}', 'value-is-code'],
    ['perl -e {{x}}', 'value-is-code'],
    ['perl -ne print {{x}}', 'value-is-code'],
    ['ruby -e {{x}}', 'value-is-code'],
    ['node -e {{x}}', 'value-is-code'],
    ['node --eval {{x}}', 'value-is-code'],
    ['node -p "{{x}}"', 'value-is-code'],
    ['php -r {{x}}', 'value-is-code'],
    ['deno run {{x}}', 'value-is-code'],
    ['go run {{x}}', 'value-is-code'],
    ['sqlite3 app.db "select {{x}}"', 'value-is-code'],
    ['psql -c {{x}}', 'value-is-code'],
    ['mysql -e {{x}}', 'value-is-code'],
    ['duckdb app.db {{x}}', 'value-is-code'],
  ],
  'a value as the program text of a tool': [
    ['awk {{x}} file', 'value-is-code', '1:5'],
    ['awk "{ print {{x}} }" file', 'value-is-code'],
    ['gawk -f {{x}}', 'value-is-code'],
    ['sed {{x}} file', 'value-is-code'],
    ['sed "s/a/{{x}}/" file', 'value-is-code'],
    ['sed -e {{x}}', 'value-is-code'],
    ['jq {{x}} file', 'value-is-code'],
    ['jq ".items[] | {{x}}"', 'value-is-code'],
    ['yq {{x}} file', 'value-is-code'],
    ['bc {{x}}', 'value-is-code'],
    ['ssh host {{x}}', 'value-is-code'],
    ['make {{x}}', 'value-is-code'],
    ['vim {{x}}', 'value-is-code'],
    ['watch {{x}}', 'value-is-code'],
    ['eval {{x}}', 'value-is-code'],
    ['source {{x}}', 'value-is-code'],
    ['. {{x}}', 'value-is-code'],
    ['trap {{x}} EXIT', 'value-is-code'],
    ['export {{x}}', 'value-is-code'],
    ['declare x={{x}}', 'value-is-code'],
    ['read {{x}}', 'value-is-code'],
    ['printf -v {{x}} text', 'value-is-code'],
    ['test -v {{x}}', 'value-is-code'],
    ['for {{x}} in a; do true; done', 'value-is-code'],
    ['find . -exec sh -c {{x}} ;', 'value-is-code'],
    ['find . -execdir bash -c "{{x}}" {} +', 'value-is-code'],
    ['ls | xargs sh -c {{x}}', 'value-is-code'],
    ['xargs -I {{x}} echo', 'value-is-code'],
    ['docker exec box sh -c {{x}}', 'value-is-code'],
    ['kubectl exec pod -- bash -c {{x}}', 'value-is-code'],
    ['npm exec {{x}}', 'value-in-command-position'],
    ['npx {{x}}', 'value-in-command-position'],
    ['git -c {{x}} status', 'value-is-code'],
    ['flock file -c {{x}}', 'value-is-code'],
    ['tar cf a.tar --checkpoint-action {{x}} .', 'value-is-code'],
    ['tar cf a.tar --use-compress-program={{x}} .', 'value-is-code'],
    ['rsync -e {{x}} a b', 'value-is-code'],
    ['rsync --rsh={{x}} a b', 'value-is-code'],
    ['git clone --upload-pack {{x}} url', 'value-is-code'],
    ['mytool sh -c {{x}}', 'value-is-code'],
    ['$TOOL {{x}}', 'unknown-program'],
    ['$(which tool) {{x}}', 'unknown-program'],
    ['sudo $TOOL {{x}}', 'unknown-program'],
    ['bash $OPTIONS {{x}}', 'unknown-program'],
  ],
  'a value in what a program reads as its program': [
    ['echo {{x}} | sh', 'program-from-stdin', '1:6'],
    ['echo {{x}} | bash -s', 'program-from-stdin'],
    ['echo {{x}} | ed', 'program-from-stdin'],
    ['echo {{x}} | . /dev/stdin', 'program-from-stdin'],
    ['echo {{x}} | source /dev/stdin', 'program-from-stdin'],
    ['echo {{x}} | sed -f - f', 'program-from-stdin'],
    ['echo {{x}} | gawk -f /dev/stdin', 'program-from-stdin'],
    ['echo {{x}} | make -f -', 'program-from-stdin'],
    ['echo {{x}} | at now', 'program-from-stdin'],
    ['echo {{x}} | batch', 'program-from-stdin'],
    ['echo {{x}} | crontab -', 'program-from-stdin'],
    ['echo {{x}} | ssh host', 'program-from-stdin'],
    ['echo {{x}} | ssh host bash', 'program-from-stdin'],
    ['echo {{x}} | su nobody', 'program-from-stdin'],
    ['echo {{x}} | parallel', 'program-from-stdin'],
    ['echo {{x}} | gdb', 'program-from-stdin'],
    ['echo {{x}} | m4', 'program-from-stdin'],
    ['sh <<EOF\necho {{x}}\nEOF', 'program-from-stdin', '2:6'],
    ['sqlite3 app.db <<EOF\nselect {{x}};\nEOF', 'program-from-stdin'],
    ['python3 <<< {{x}}', 'program-from-stdin'],
    ['echo {{x}} | xargs sh -c', 'program-from-stdin'],
    ['echo {{x}} | xargs sudo', 'program-from-stdin'],
  ],
  'a value that comes through a variable or a substitution': [
    ['x={{x}}; eval "$x"', 'value-is-code', '1:3'],
    ['x={{x}}; bash -c "$x"', 'value-is-code', '1:3'],
    ['x={{x}}; $x', 'value-in-command-position', '1:3'],
    ['x={{x}}; sudo $x', 'value-in-command-position'],
    ['export x={{x}}; y=$x; sh -c "echo ${y}"', 'value-is-code', '1:10'],
    ['for i in {{xs}}; do eval "$i"; done', 'value-is-code', '1:10'],
    ['for i in {{xs}}; do bash "$i"; done', 'value-is-code'],
    ['echo {{x}} | while read -r line; do eval "$line"; done', 'value-is-code'],
    ['x={{x}}; awk "/$x/" file', 'value-is-code'],
    ['x={{x}}; sed "s/a/$x/" file', 'value-is-code'],
    ['x={{x}}; ssh host "$x"', 'value-is-code'],
    ['x={{x}}; PATH=$x:$PATH ls', 'dangerous-variable'],
    ['x={{x}}; sqlite3 app.db "$x"', 'value-is-code'],
    ['x={{x}}; timeout 5 $x', 'value-in-command-position'],
    ['eval "$(echo {{x}})"', 'value-is-code', '1:14'],
    ['bash -c "$(cat {{x}})"', 'value-is-code'],
    ['x=$(cat {{x}}); python3 -c "$x"', 'value-is-code'],
    ['x={{x}}; echo $(( x + 1 ))', 'value-in-arithmetic', '1:3'],
    ['x={{x}}; (( $x > 1 )) && ls', 'value-in-arithmetic'],
    ['x={{x}}; [[ "$x" -gt 3 ]] && ls', 'value-in-condition'],
    ['x={{x}}; echo "${!x}"', 'value-in-expansion'],
  ],
  'a value where the shell evaluates': [
    ['echo $(( {{x}} + 1 ))', 'value-in-arithmetic', '1:10'],
    ['(( {{x}} ))', 'value-in-arithmetic'],
    ['[[ {{x}} == a ]] && true', 'value-in-condition', '1:4'],
    ['[[ "{{x}}" -eq 1 ]]', 'value-in-condition'],
    ['echo ${y:-{{x}} }', 'value-in-expansion', '1:11'],
    ['echo "${y#{{x}} }"', 'value-in-expansion'],
    ['a[{{x}}]=1', 'array-subscript'],
    ['a[0]={{x}}', 'array-subscript'],
    ['echo `ls {{x}}`', 'value-in-backticks', '1:10'],
    ['echo `ls {{n}}`', 'value-in-backticks'],
    ['echo hi # {{x}}', 'value-in-comment', '1:11'],
    ["cat <<'EOF'\n{{x}}\nEOF", 'value-in-quoted-heredoc', '2:1'],
    ['cat <<"EOF"\n{{n}}\nEOF', 'value-in-quoted-heredoc'],
    ['cat <<{{x}}\nhi\nEOF', 'value-in-heredoc-delimiter', '1:7'],
  ],
  'something glued to a value': [
    ['echo ${{x}}', 'dollar-before-value', '1:6'],
    ['echo "a${{x}}"', 'dollar-before-value'],
    ['echo \\\\{{x}}', 'backslash-before-value', '1:6'],
    ['rm -{{x}} file', 'value-glued-to-dash', '1:5'],
    ['rm --{{x}}', 'value-glued-to-dash'],
    ['rm -"{{x}}"', 'value-glued-to-dash'],
    ['echo a{{xs}}', 'array-inside-word', '1:7'],
    ['echo "{{xs}}"', 'array-inside-word'],
    ['echo {{xs}}{{x}}', 'array-inside-word'],
    ['cat < {{xs}}', 'array-inside-word'],
  ],
  'a variable that steers programs': [
    ['PATH={{x}} ls', 'dangerous-variable', '1:6'],
    ['LD_PRELOAD={{x}} ls', 'dangerous-variable'],
    ['IFS={{x}} ls', 'dangerous-variable'],
    ['env NODE_OPTIONS={{x}} tool', 'dangerous-variable'],
    ['export BASH_ENV={{x}}', 'dangerous-variable'],
    ['GIT_SSH_COMMAND="{{x}}" git fetch', 'dangerous-variable'],
  ],
  redirections: [
    ['ls >&{{x}}', 'value-in-redirection', '1:6'],
    ['ls <& {{x}}', 'value-in-redirection'],
    ['ls >', 'missing-redirect-target'],
    ['ls > | cat', 'missing-redirect-target'],
  ],
  'quotes and brackets that cross a block': [
    ['echo {{#if flag}}"{{/if}}a"', 'quote-crosses-block'],
    ['echo "{{#if flag}}a"{{/if}}', 'quote-crosses-block'],
    ['{{#if flag}}({{/if}} true )', 'token-across-block'],
    ['{{#if flag}}( {{/if}} true )', 'quote-crosses-block'],
    ["echo {{#each xs}}'{{this}}{{/each}}", 'quote-crosses-block'],
    ['{{#if flag}}cat <<EOF\n{{/if}}a\nEOF', 'quote-crosses-block'],
    ['cat <<EOF\na\n{{#if flag}}EOF{{/if}}', 'quote-crosses-block'],
    ['echo ${{#if flag}}x{{/if}}', 'token-across-block'],
    ['ls >{{#if flag}}> a{{/if}}', 'token-across-block'],
  ],
  'shell syntax that is not supported or not right': [
    ["echo $'a'", 'unsupported-syntax', '1:7'],
    ['echo $"a"', 'unsupported-syntax'],
    ['echo $[1]', 'unsupported-syntax'],
    ['f() { true; }', 'unsupported-syntax'],
    ['function f { true; }', 'unsupported-syntax'],
    ['a=(1 2)', 'unsupported-syntax'],
    ['echo !(a)', 'unsupported-syntax'],
    ['select x in a; do true; done', 'unsupported-syntax'],
    ['echo ${x:-$(ls)}', 'unsupported-syntax'],
    ['echo $(( `id` ))', 'unsupported-syntax'],
    ['( cat <<EOF\na\nEOF\n)', 'unsupported-syntax'],
    ['cat <<$x\na\n$x', 'unsupported-syntax'],
    ['echo "a', 'unbalanced'],
    ["echo 'a", 'unbalanced'],
    ['echo $(ls', 'unbalanced'],
    ['echo )', 'unbalanced'],
    ['echo `ls', 'unbalanced'],
    ['case a in a) true ;;', 'unbalanced'],
    ['cat <<EOF\na', 'unbalanced'],
    ['[[ a == b', 'unbalanced'],
    ['echo \u0007', 'control-character', '1:6'],
  ],
  'what stands in {{ }}': [
    ['echo {{nope}}', 'unknown-parameter', '1:8'],
    ['echo {{#if nope}}a{{/if}}', 'unknown-parameter', '1:12'],
    ['echo {{x.y}}', 'dotted-path'],
    ['echo {{this}}', 'dotted-path'],
    ['echo {{../x}}', 'bad-depth'],
    ['echo {{@index}}', 'unknown-data'],
    ['echo {{@root}}', 'unknown-data'],
    ['echo {{"text"}}', 'not-a-name'],
    ['echo {{upper x}}', 'unknown-helper'],
    ['echo {{#with x}}a{{/with}}', 'unknown-helper'],
    ['echo {{#if (or x y)}}a{{/if}}', 'unknown-helper'],
    ['echo {{#if (eq x y a=1)}}a{{/if}}', 'hash-argument'],
    ['echo {{#if x y}}a{{/if}}', 'block-arguments'],
    ['echo {{#each x}}a{{/each}}', 'each-not-array'],
    ['echo {{part}}', 'object-value'],
    ['echo {{> partial}}', 'unsupported-mustache'],
    ['echo {{* decorator}}', 'unsupported-mustache'],
    ['echo {{#if x}}a', 'template-syntax'],
    ['echo\n{{#if x}}a{{/each}}', 'template-syntax', '2:4'],
    ['echo {{x', 'template-syntax'],
    ['echo {{}}', 'template-syntax', '1:8'],
    ['echo ${HOME:-{{x}}}', 'template-syntax', '1:17'],
  ],
  size: [
    ['', 'empty-command'],
    [' \n\t', 'empty-command'],
    ['{{#if flag}}{{/if}}', 'empty-command'],
    [`echo ${'x'.repeat(16_400)}`, 'template-too-long'],
    [`echo ${'{{x}} '.repeat(501)}`, 'template-too-complex'],
    [`echo {{${'x'.repeat(200)}}}`, 'template-too-complex', '1:6'],
    [`echo ${'{{#if x}}'.repeat(9)}a${'{{/if}}'.repeat(9)}`, 'too-deep'],
    ['echo \0', 'nul-in-template', '1:6'],
    ['echo $_peg1', 'reserved-name', '1:7'],
  ],
};

describe.each(Object.entries(rows))('%s is refused when the template is loaded', (_, list) => {
  test.each(list.map(([template, code, place]) => ({ template, code, place })))(
    '$code: $template',
    async ({ template, code, place }) => {
      const refusal = await refusalOf(template);
      expect(refusal).toMatchObject({ name: 'TemplateRefusal', code });
      const { line, column, message } = refusal as { line: number; column: number; message: string };
      expect(message.length).toBeGreaterThan(20);
      if (place !== undefined) expect(`${line}:${column}`).toBe(place);
    },
  );
});

const loaded = [
  'git log -n {{n}} -- {{x}}',
  'bash scripts/deploy.sh {{x}}',
  'python3 script.py --name {{x}} {{xs}}',
  "awk '{ print $1 }' {{x}}",
  "sed -e 's/a/b/' -- {{x}}",
  'jq --arg name {{x}} .name file.json',
  'bash -c \'printf %s "$1"\' name {{x}}',
  'find . -name {{x}} -exec grep {{y}} {} +',
  'env NAME={{x}} printenv NAME',
  'export NAME={{x}}; printenv NAME',
  'echo $(( {{n}} + 1 ))',
  '[[ {{n}} -gt 3 ]] && echo {{x}}',
  'echo ${y:-{{mode}} }',
  'scripts/{{mode}}.sh {{x}}',
  'rm -{{dash}} file',
  'docker run --rm image tool {{x}}',
  'npm run build -- {{x}}',
  'curl --data {{x}} "https://example.org/?q={{y}}" | head -n {{n}}',
  'echo "{{#each xs}}<{{this}}>{{/each}}" | sort > {{x}}',
  'case {{mode}} in fast) echo {{x}} ;; *) true ;; esac',
  'while read -r line; do echo "$line" {{x}}; done < input.txt',
  'x={{x}}; printf "%s" "$x"; eval "$OTHER"; eval "$(direnv export bash)"',
  'x={{x}}; trap \'rm -f "$x"\' EXIT; wait $!',
  'x={{x}}; [[ $x == a* ]] && echo "${x%.txt} ${#x}"',
  'n={{n}}; echo $(( n + 1 )); [[ $n -gt 3 ]]',
  'for i in {{xs}}; do python3 script.py "$i"; done',
  'x=$(cat {{x}}); grep -- "$x" file',
  'diff <(sort {{x}}) <(sort {{y}})',
  'ls *.txt {{x}} 2>&1',
];
test.each(loaded)('%j is a good template', async (template) => {
  expect(await refusalOf(template)).toBeUndefined();
});

test('unsafe: true on the parameter allows program text, and makes every run be confirmed', async () => {
  const declared: readonly CommandParameter[] = [{ name: 'x', type: 'string', unsafe: true }];
  for (const template of [
    'bash -c {{x}}',
    'echo {{x}} | sh',
    '{{x}} --version',
    '[[ {{x}} ]]',
    'echo $(( {{x}} ))',
    'eval {{x}}',
  ]) {
    const command = await loadCommand(template, declared);
    expect(command.confirm).toBe(true);
    expect(command.render({ x: 'true' }).confirm).toBe(true);
  }
  const script = await loadCommand('bash -c {{x}}', declared);
  expect(script.render({ x: 'echo "$HOME"' }).argv).toEqual(['bash', '-c', 'echo "$HOME"']);
});

test('not even unsafe: true puts a value where the shell reads before it substitutes', async () => {
  const declared: readonly CommandParameter[] = [{ name: 'x', type: 'string', unsafe: true }];
  for (const template of ['echo `{{x}}`', 'echo # {{x}}', "cat <<'EOF'\n{{x}}\nEOF", 'echo ${{x}}'])
    expect(await refusalOf(template, declared)).toBeInstanceOf(Error);
});

test('a value in an unquoted $( ) is a warning with its place', async () => {
  const command = await loadCommand('echo\\\n $(cat {{x}})', parameters);
  expect(command.warnings).toEqual([
    expect.objectContaining({ code: 'unquoted-substitution', line: 2, column: 8 }),
  ]);
  expect((await loadCommand('echo "$(cat {{x}})"', parameters)).warnings).toEqual([]);
});

test('a refusal far into an indented template of several lines has its exact place', async () => {
  expect(
    await refusalOf('\n  echo {{x}}\n  {{#if flag}}\n    echo é {{y}}\n    eval {{x}}\n  {{/if}}\n'),
  ).toMatchObject({
    code: 'value-is-code',
    line: 5,
    column: 10,
  });
});
