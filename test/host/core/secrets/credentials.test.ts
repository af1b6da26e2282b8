import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { credentialsIn } from '../../../../host/core/secrets/credentials.ts';

/** Made up, and constant. */
function made(what: string, length: number, alphabet: string): string {
  const bytes = createHash('shake256', { outputLength: length }).update(what).digest();
  return [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
}
const digits = '0123456789';
const hex = `${digits}abcdef`;
const lower = 'abcdefghijklmnopqrstuvwxyz';
const alnum = `${digits}${lower}${lower.toUpperCase()}`;
const base64url = `${alnum}-_`;
const base64 = `${alnum}+/`;

/** The formats of credentials of various services. */
const tokens: readonly (readonly [name: string, value: string])[] = [
  ['OPENAI_API_KEY', `sk-proj-${made('openai', 48, base64url)}`],
  ['ANTHROPIC_API_KEY', `sk-ant-api03-${made('anthropic', 40, base64url)}`],
  ['OPENROUTER_API_KEY', `sk-or-v1-${made('openrouter', 64, hex)}`],
  ['GITHUB_TOKEN', `ghp_${made('github', 36, alnum)}`],
  ['GITHUB_PAT', `github_pat_${made('pat', 22, alnum)}_${made('pat2', 59, alnum)}`],
  ['GITLAB_TOKEN', `glpat-${made('gitlab', 20, base64url)}`],
  ['SLACK_BOT_TOKEN', `xoxb-${made('slack', 12, digits)}-${made('s2', 12, digits)}-${made('s3', 24, alnum)}`],
  ['AWS_SECRET_ACCESS_KEY', made('aws', 40, base64)],
  ['AWS_SESSION_TOKEN', `IQoJ${made('session', 200, base64)}==`],
  ['GOOGLE_API_KEY', `AIza${made('google', 35, base64url)}`],
  ['STRIPE_SECRET_KEY', `sk_live_${made('stripe', 24, alnum)}`],
  ['STRIPE_WEBHOOK_SECRET', `whsec_${made('hook', 32, alnum)}`],
  ['SENDGRID_API_KEY', `SG.${made('sg', 22, base64url)}.${made('sg2', 43, base64url)}`],
  ['TWILIO_AUTH_TOKEN', made('twilio', 32, hex)],
  ['MAILGUN_API_KEY', `key-${made('mailgun', 32, hex)}`],
  ['NPM_TOKEN', `npm_${made('npm', 36, alnum)}`],
  ['PYPI_TOKEN', `pypi-AgEIcHlwaS5vcmc${made('pypi', 60, base64url)}`],
  ['DIGITALOCEAN_TOKEN', `dop_v1_${made('do', 64, hex)}`],
  ['HEROKU_API_KEY', '3f9c1b7e-0c4d-4e1a-9b1f-7a2d5c8e6f01'],
  ['HF_TOKEN', `hf_${made('hf', 34, alnum)}`],
  ['TELEGRAM_BOT_TOKEN', `${made('bot', 10, digits)}:${made('bot2', 35, base64url)}`],
  ['DISCORD_TOKEN', `${made('d', 26, alnum)}.${made('d2', 6, alnum)}.${made('d3', 38, base64url)}`],
  ['NOTION_API_KEY', `ntn_${made('notion', 46, alnum)}`],
  ['LINEAR_API_KEY', `lin_api_${made('linear', 40, alnum)}`],
  ['SHOPIFY_ACCESS_TOKEN', `shpat_${made('shopify', 32, hex)}`],
  ['VAULT_TOKEN', `hvs.${made('vault', 24, alnum)}`],
  ['AZURE_STORAGE_KEY', `${made('azure', 86, base64)}==`],
  ['CLOUDFLARE_API_TOKEN', made('cloudflare', 40, base64url)],
  ['DATADOG_API_KEY', made('datadog', 32, hex)],
  ['TAVILY_API_KEY', `tvly-${made('tavily', 32, alnum)}`],
  [
    'SUPABASE_SERVICE_KEY',
    `eyJ${made('j1', 33, alnum)}.eyJ${made('j2', 80, alnum)}.${made('j3', 43, base64url)}`,
  ],
  ['LICENSE_KEY', 'XK9M-QR7T-AB3C-ZP4W'],
  ['SIGNING_SECRET', made('signing', 16, lower)],
  ['DB_PASSWORD', 'hunter2hunter2'],
  ['BACKUP_PASSPHRASE', 'correct horse battery'],
  ['ADMIN_PASSWORD', 'dragon'],
  ['DB_PASS', 'Sommer2024!'],
  ['CLIENT_SECRET', 'mysecretvalue'],
  ['API_KEY', 'sesame-open-up'],
  ['SERVICE_TOKEN', 'the-quiet-harbour-at-night'],
  ['Authorization', `Bearer ${made('bearer', 30, base64url)}`],
  ['MY_GITHUB', `ghp_${made('unnamed', 36, alnum)}`],
];

test.for(tokens)('%s=%s is a secret', ([name, value]) => {
  expect(credentialsIn(name, value)).toContain(value.replace('Bearer ', ''));
});

const settings: readonly (readonly [name: string, value: string])[] = [
  ['DEFAULT_TOKEN_BUDGET', '200000'],
  ['GITHUB_TOKEN_TYPE', 'personal'],
  ['token_type', 'Bearer'],
  ['token_type', 'bearer'],
  ['TOKEN_TYPE', 'fine-grained'],
  ['token_endpoint', 'https://auth.example.com/oauth2/token'],
  [
    'authorization_endpoint',
    'https://login.example.com/realms/9f8e7d6c5b4a3921/protocol/openid-connect/auth',
  ],
  ['authorizationServerUrl', 'https://auth.example.com/'],
  ['token_endpoint_auth_method', 'client_secret_post'],
  ['TOKEN_LIMIT', '128000'],
  ['TOKEN_EXPIRES', '2026-05-04T10:00:00.000Z'],
  ['TOKEN_TTL', '3600s'],
  ['TOKEN_MODEL', 'gpt-4o-mini'],
  ['TOKEN_COUNTER', 'cl100k_base'],
  ['TOKENIZER_TOKEN_MODEL', 'claude-3-5-sonnet-20241022'],
  ['TOKEN_MODEL', 'meta-llama/Llama-3.1-8B-Instruct'],
  ['SECRET_BACKEND', 'kubernetes'],
  ['SECRET_MANAGER', 'aws-secrets-manager'],
  ['SECRET_REGION', 'eu-central-1'],
  ['PASSWORD_MIN_LENGTH', '12'],
  ['PASSWORD_POLICY', 'at least twelve characters'],
  ['PASSWORD_HASH_ALGORITHM', 'argon2id'],
  ['REQUIRE_PASSWORD', 'true'],
  ['ADMIN_PASSWORD', 'disabled'],
  ['POSTGRES_PASSWORD', '/run/secrets/postgres'],
  ['POSTGRES_PASSWORD_FILE', '/run/secrets/postgres-password'],
  ['RESET_PASSWORD', 'https://example.com/reset'],
  ['SIGNING_KEY', 'private-key.pem'],
  ['JWT_TOKEN_ALGORITHM', 'RS256'],
  ['ENCRYPTION_KEY', 'aes-256-gcm'],
  ['API_KEY', 'your-api-key-here'],
  ['API_KEY', '<your key>'],
  ['API_KEY', 'xxxxxxxxxxxxxxxx'],
  ['API_KEY', 'none'],
  ['API_KEY', '/run/secrets/api-key'],
  ['DEVICE_TOKEN', '200000000000'],
  ['OPENAI_API_KEY', 'ollama'],
  ['OPENAI_API_KEY', 'lm-studio'],
  ['OPENAI_API_KEY', 'not-needed'],
  ['SSH_KEY', '~/.ssh/id_ed25519'],
  ['SORT_KEY', 'createdAt'],
  ['PARTITION_KEY', 'customer-name'],
  ['COOKIE_DOMAIN', '.example.com'],
  ['COOKIE_SAMESITE', 'strict'],
  ['CREDENTIALS', 'same-origin'],
  ['TOKEN_ISSUER', 'internationalization'],
  ['AUTH_TOKEN_HEADER', 'X-Forwarded-Authorization'],
  ['TOKEN_OWNER', 'anna.schmidt@example.com'],
  ['REDIS_URL', 'redis://localhost:6379/0'],
  ['DATABASE_URL', 'postgres://postgres:postgres@localhost:5432/app'],
];

test.for(settings)('%s=%s is none', ([name, value]) => {
  expect(credentialsIn(name, value)).toEqual([]);
});

test.for([
  ['DATABASE_URL', 'postgres://app:s3cr3t-word@db.example.com/app', ['s3cr3t-word']],
  ['HTTPS_PROXY', 'http://anna:p%40ssw0rd@proxy:3128', ['p@ssw0rd', 'p%40ssw0rd']],
  ['REPO', `https://${made('r', 40, hex)}@github.com/a/b.git`, [made('r', 40, hex)]],
  ['FEED', `https://example.com/feed?page=2&token=${made('f', 24, alnum)}`, [made('f', 24, alnum)]],
  ['CALLBACK_TOKEN_URL', 'https://example.com/?token=personal', []],
  [
    'SLACK_WEBHOOK',
    `https://hooks.slack.com/services/T012/B034/${made('w', 24, alnum)}`,
    [made('w', 24, alnum)],
  ],
  [
    'AZURE',
    `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${made('a', 86, base64)}==`,
    [`${made('a', 86, base64)}==`],
  ],
  ['DSN', 'host=db user=app password=sunflower dbname=app', ['sunflower']],
  ['OTEL_EXPORTER_OTLP_HEADERS', `x-team=tools,x-api-key=${made('o', 32, hex)}`, [made('o', 32, hex)]],
  [
    'GOOGLE_CREDENTIALS',
    JSON.stringify({ type: 'service_account', private_key_id: made('g', 40, hex), client_email: 'a@b.c' }),
    [],
  ],
  ['CREDENTIALS', JSON.stringify({ user: 'anna', password: 'sunflower' }), ['sunflower']],
] as const)('of %s=%s only the credential is a secret', ([name, value, secrets]) => {
  expect(credentialsIn(name, value)).toEqual(secrets);
});

test('of 1,000 keys that a generator made none is taken for words', () => {
  for (const [alphabet, length] of [
    [hex, 16],
    [hex, 32],
    [alnum, 12],
    [alnum, 20],
    [base64url, 32],
    [lower, 24],
  ] as const) {
    const keys = Array.from({ length: 1_000 }, (_, at) =>
      made(`${length} ${alphabet} ${at}`, length, alphabet),
    );
    const missed = keys.filter((key) => credentialsIn('API_KEY', key).length === 0);
    expect(missed.length, `${length} of ${alphabet}: ${missed.slice(0, 3).join(' ')}`).toBeLessThan(
      length < 16 ? 20 : 3,
    );
  }
});
