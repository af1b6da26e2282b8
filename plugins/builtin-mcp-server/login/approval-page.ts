import { createHash } from 'node:crypto';
import { shownLine } from 'pegboard/channels';
import { publicPegboard } from 'pegboard/kit';

/** What the owner decides about. Everything except `path` is a claim of the client. */
export interface ApprovalRequest {
  readonly client: string;
  /** The page that describes the client; undefined for one that registered itself. */
  readonly page: string | undefined;
  /** The address that the code is sent to. */
  readonly redirect: string;
  /** The path of the MCP server that it wants to use. */
  readonly resource: string;
  /** Proves that the form came from this page. */
  readonly proof: string;
  readonly problem: string | undefined;
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 30rem; margin: 10vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; padding: 1rem; border: 1px solid #8886; border-radius: .5rem; }
dt { color: #777; } dd { margin: 0; overflow-wrap: anywhere; }
label { display: block; margin: 1.25rem 0 .25rem; }
input { font: 1.25rem ui-monospace, monospace; width: 100%; box-sizing: border-box; padding: .5rem; border: 1px solid #888; border-radius: .4rem; }
button { font: inherit; margin: 1rem .5rem 0 0; padding: .5rem 1.25rem; border: 1px solid #888; border-radius: .4rem; cursor: pointer; }
button.allow { background: #1a7f37; border-color: #1a7f37; color: #fff; }
p.problem { color: #c62828; }`;
const styleHash = createHash('sha256').update(style).digest('base64');

export function approvalPage({ client, page, redirect, resource, proof, problem }: ApprovalRequest): string {
  const from = page === undefined ? 'registered itself: nobody has verified its name' : page;
  return document(
    'Let a client in?',
    `<h1>Let “${escape(client)}” use your tools?</h1>
<dl>
<dt>Client</dt><dd>${escape(from)}</dd>
<dt>Redirects to</dt><dd>${escape(redirect)}</dd>
<dt>May use</dt><dd>${escape(resource)}</dd>
</dl>
<p>It can then call every tool that is served there, until you revoke it (<code>${publicPegboard} approvals revoke</code>). Allow it only if you have just started this login yourself.</p>
${problem === undefined ? '' : `<p class="problem" role="alert">${escape(problem)}</p>`}
<form method="post" autocomplete="off">
<input type="hidden" name="proof" value="${escape(proof)}">
<label for="code">Code that Pegboard printed when it was started</label>
<input id="code" name="code" placeholder="XXXXX-XXXXX" autofocus spellcheck="false" maxlength="32">
<button class="allow" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</form>`,
  );
}

export const messagePage = (title: string, text: string): string =>
  document(title, `<h1>${escape(title)}</h1><p>${escape(text)}</p>`);

/** `returnTo` is where the form may finally redirect to: browsers apply form-action to redirects too. */
export function pageHeaders(returnTo?: string): Readonly<Record<string, string>> {
  const form = returnTo === undefined ? "'none'" : `'self' ${returnTo}`;
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${form}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // "no-referrer" would also remove the Origin header, by which the form is recognized.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

const document = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)} · Pegboard</title><style>${style}</style></head>
<body>${body}</body></html>
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string =>
  shownLine(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);
