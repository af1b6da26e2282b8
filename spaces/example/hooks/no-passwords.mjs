// A pre_tool hook: gets the call as JSON on stdin. Exit 0 lets it go on, exit 2 refuses it with stderr as the reason.
let input = '';
for await (const chunk of process.stdin) input += chunk;
const { tool, args } = JSON.parse(input);

if (/password|passphrase/i.test(JSON.stringify(args))) {
  process.stderr.write(`${tool} keeps notes in plain text, so no passwords go there.`);
  process.exitCode = 2;
}
